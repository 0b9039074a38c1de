import { CliError } from "../errors.js";

/**
 * Writes a file atomically: a concurrent reader gets the old text or the new one. Keeps the mode.
 * @throws {CliError} when it cannot be written
 */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  try {
    await writeFileAtomic(file, text);
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${(error as Error).message}`, undefined, { cause: error });
  }
}
