/** Writes the files that edits have changed. */
import { existsSync } from "node:fs";
import { describeEdit, type EditedFile, type MadeEdit } from "../../../../workspace-file/edit/index.js";
import { readText } from "../../../../trust/checkout-files.js";
import { removeFile } from "../../../../trust/output-files.js";
import { CliError } from "../../../errors.js";
import { note, print, type Io } from "../../../terminal/io.js";
import { printDiff } from "../../../terminal/print-diff.js";
import { writeFileAtomically } from "../../../terminal/write-file.js";

/** Writes the files and prints their names; with `dryRun`, only shows the changes. */
export async function writeEdited(
  files: readonly EditedFile[],
  { dryRun, label }: { readonly dryRun: boolean; readonly label: string },
  io: Io,
): Promise<void> {
  for (const file of files) {
    const { path, before, after } = file;
    if (dryRun) await printDiff(path, before, after, label, io);
    else {
      write(file);
      print(io, path);
    }
  }
}

/** @throws {CliError} when the file has changed in the meantime */
function write({ path, before, after, isNew, isGone }: EditedFile): void {
  if (isNew ? existsSync(path) : readText(path, { named: true }) !== before)
    throw new CliError(`${path} has changed in the meantime and was not written`, "run the command again");
  if (isGone) return removeFile(path);
  writeFileAtomically(path, after, { named: true });
}

/** Names the objects that no longer have the value of a template, of defaults or of an alias. */
export function noteOverrides(made: readonly MadeEdit[], io: Io): void {
  const names = new Set(made.filter(({ override }) => override).map(({ edit }) => describeEdit(edit)));
  if (names.size === 0) return;
  const listed = [...names].join(", ");
  const what = "These now set their own value instead of the value from a template, defaults or an alias";
  note(io, io.colors.dim(`${what}: ${listed}`));
}
