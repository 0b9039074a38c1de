/** Writes files of results, and explains why one cannot be written. */
import { TrustError } from "../../trust/errors.js";
import { writeFile, type OutputRules } from "../../trust/output-files.js";
import { CliError } from "../errors.js";

/**
 * Writes a file atomically: a concurrent reader gets the old text or the new one. Keeps the mode.
 * @throws {CliError} when it cannot be written, {TrustError} when a link is in the way
 */
export function writeFileAtomically(file: string, text: string, rules?: OutputRules): void {
  try {
    writeFile(file, text, rules);
  } catch (error) {
    if (error instanceof TrustError) throw error;
    throw new CliError(
      `${file} cannot be written: ${(error as Error).message}`,
      "Choose another file, or make this one writable",
      { cause: error },
    );
  }
}
