import { createRequire } from "node:module";

export const { version: VERSION } = createRequire(import.meta.url)(
  "pulumi-workspace-automation/package.json",
) as {
  version: string;
};

/** What this library calls itself in User-Agent; the caller's own name stands first. */
export function userAgent(caller: string | undefined): string {
  const own = `pulumi-workspace-automation/${VERSION} (node ${process.version})`;
  return caller ? `${caller} ${own}` : own;
}
