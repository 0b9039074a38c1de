/** The version of the library, and the User-Agent of requests. */
import { createRequire } from "node:module";

export const { version: VERSION } = createRequire(import.meta.url)(
  "pulumi-workspace-automation/package.json",
) as {
  version: string;
};

/** The User-Agent of requests: the caller's name, if there is one, and that of this library. */
export function formatUserAgent(caller: string | undefined): string {
  const own = `pulumi-workspace-automation/${VERSION} (node ${process.version})`;
  return caller ? `${caller} ${own}` : own;
}
