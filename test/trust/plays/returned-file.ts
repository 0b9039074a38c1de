/** What a play needs of a file that comes back as input. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface ReturnedFile {
  /** First cell of its row. */
  readonly row: string;
  readonly sample: unknown;
  /** Its text, where it is not one value of JSON. */
  readonly format?: (value: unknown) => string;
  /** Does what a command does with the file. @returns what is sent, applied, approved or written by it */
  readonly act: (file: string) => unknown;
  readonly expected: unknown;
  /** Programs that may be asked instead. */
  readonly programs?: readonly string[];
}

export const folder = () => mkdtempSync(join(tmpdir(), "play-"));
export const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
export const OWN = "https://service.example";
