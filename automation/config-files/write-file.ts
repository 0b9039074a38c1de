/** Writes files that people name. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { TrustError } from "../../trust/errors.js";
import { makeFolder, type OutputRules, writeFile } from "../../trust/output-files.js";
import { parseFailure } from "../../trust/quoting.js";
import { AutomationError } from "../errors.js";

/**
 * Writes a file atomically: a concurrent reader gets the old text or the new one. Keeps the mode. Makes the folder of a file that the
 * caller has named.
 * @throws {AutomationError} when it cannot be written, {TrustError} when a link is in the way
 */
export function writeFileAtomically(file: string, text: string, rules?: OutputRules): void {
  try {
    const folder = dirname(file);
    if (rules?.named && !existsSync(folder)) makeFolder(folder, { named: true });
    writeFile(file, text, rules);
  } catch (error) {
    if (error instanceof TrustError) throw error;
    throw new AutomationError(
      `${file} cannot be written: ${parseFailure(error)}`,
      "Choose another file, or make this one and its folder writable for this user",
      { cause: error },
    );
  }
}
