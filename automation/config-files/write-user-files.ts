/** Writes the files that people keep by hand, such as workspace files. A text that would not mean what it should is not written. */
import { resolve } from "node:path";
import { removeFile } from "../../trust/output-files.js";
import { listMisread, type Meaning, type NewTexts } from "../../workspace-file/edit/edit.js";
import { AutomationError } from "../errors.js";
import { writeFileAtomically } from "./write-file.js";

/** A file and its new text. */
export interface UserFile {
  readonly path: string;
  readonly after: string;
  /** The file is deleted. */
  readonly isGone?: boolean | undefined;
}

/**
 * Writes files after their texts were read back.
 * @throws {AutomationError} before it writes anything, when one of them cannot be read or means something else
 */
export function writeUserFiles(files: readonly UserFile[], meaning: Meaning): void {
  requireMeaning(files, meaning);
  for (const { path, after, isGone } of files) {
    if (isGone) removeFile(path);
    else writeFileAtomically(path, after, { named: true });
  }
}

/** @throws {AutomationError} when the texts cannot be read, or mean something else */
export function requireMeaning(files: readonly UserFile[], meaning: Meaning): void {
  if (files.length === 0) return;
  const written = files.filter(({ isGone }) => !isGone);
  const texts = new Map(written.map(({ path, after }) => [resolve(path), after]));
  const names = files.map(({ path }) => path).join(", ");
  const [first, ...others] = list(texts, meaning, names);
  if (first === undefined) return;
  const where =
    first === "" ? "the whole" : `${first}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  throw new AutomationError(
    `nothing was written, because a check of the new text failed: in ${names}, the value of ${where} would not be the one that this command is to write`,
    REMEDY,
  );
}

const REMEDY = "Make this change in an editor, and run the command again";

function list(texts: NewTexts, meaning: Meaning, names: string): string[] {
  try {
    return listMisread(texts, meaning);
  } catch (error) {
    const message = (error as Error).message.split("\n")[0] ?? "";
    throw new AutomationError(
      `nothing was written: the new text of ${names} would not be valid (${message})`,
      REMEDY,
      {
        cause: error,
      },
    );
  }
}
