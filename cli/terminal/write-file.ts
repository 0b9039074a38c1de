import { CliError } from "../errors.js";

/**
 * Writes a file whole or not at all: who reads it at the same time sees the old text or the new one. Its mode stays.
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
