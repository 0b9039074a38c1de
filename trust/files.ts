/** Which files a checkout may name, for reading and for writing. */
import { TrustError } from "./errors.js";

/**
 * @param steps path of the file, relative to the folder that may be read
 * @throws {TrustError} when the path contains a hidden folder
 */
export function refuseHiddenFolder(path: string, steps: readonly string[]): void {
  const hidden = steps.slice(0, -1).find((step) => /^\.[^.]/.test(step));
  if (hidden === undefined) return;
  throw new TrustError(
    "path",
    `the file ${path} is in the hidden folder ${hidden}, which belongs to a tool: copy it next to the workspace file, ` +
      "or allow the folder with --allow-path",
  );
}
