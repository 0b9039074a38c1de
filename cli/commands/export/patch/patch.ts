/** An export onto a workspace file that is there: it says what the workspace says, and all else in it stays. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ExpectedName } from "../../../../provider/index.js";
import { editWorkspace, type EditedFile, type EditResult } from "../../../../workspace-file/edit/index.js";
import { CliError } from "../../../errors.js";
import { exitCodes } from "../../../exit-codes.js";
import { note, print, type Io } from "../../../terminal/io.js";
import { printDiff } from "../../../terminal/print-diff.js";
import { writeFileAtomically } from "../../../terminal/write-file.js";
import { countText, gapLines } from "../print.js";
import type { Existing } from "./existing.js";
import { withLintComments } from "./lint.js";
import { patchPlan, type LiveWorkspace } from "./plan.js";
import { printPatch } from "./report.js";

export { openExisting, type Existing, type ReadingOptions } from "./existing.js";
export type { LiveWorkspace } from "./plan.js";

/** Projects and the like that the file counts on: what the workspace does not show may only be hidden from the caller. */
export function expectedIn({ declared }: Existing): ExpectedName[] {
  return declared.declarations.flatMap(({ definition, name, args }) => {
    const key = args[definition.document?.keyedBy ?? ""];
    return name.split("/").length === 2 && typeof key === "string" ? [{ type: definition.type, key }] : [];
  });
}

/** @returns the exit code: 7 when file and workspace still differ, 10 when not all could be read or compared */
export async function patchExisting(
  existing: Existing,
  found: LiveWorkspace,
  dryRun: boolean,
  io: Io,
): Promise<number> {
  requireSame(existing, found);
  const plan = patchPlan(existing, found);
  const edits = plan.subjects.map(({ edit }) => edit);
  const none: EditResult = { files: [], made: [], refused: [] };
  const result =
    edits.length === 0
      ? none
      : editWorkspace(existing.file, { ...existing.reading, dropEmptyFiles: true }, edits);
  const { files, doubts } = await withLintComments(existing, result.files);
  for (const file of files) {
    const { path, before, after } = file;
    if (dryRun) await printDiff(path, before, after, "exported", io);
    else {
      await write(file);
      print(io, path);
    }
  }
  printPatch({ plan, result, dryRun }, existing.file, io);
  if (plan.needed.length > 0) {
    note(
      io,
      `Set before the file is used (${countText(plan.needed.length, "value")} that no file should hold):`,
    );
    for (const { variable, name, arg } of plan.needed) note(io, `  ${variable}  ${name}: ${arg}`);
  }
  if (doubts.length > 0)
    note(io, "Lint would refuse this, were it not said in the file to be so at the service:");
  for (const doubt of doubts) note(io, `  ${doubt}`);
  const gaps = [...found.survey.gaps, ...found.declared.gaps];
  if (gaps.length > 0) note(io, "Not read, and left as it is in the file:");
  for (const line of gapLines(gaps)) note(io, `  ${line}`);
  if (result.refused.length + plan.left.length > 0) return exitCodes.drift;
  return gaps.length + plan.open.length > 0 ? exitCodes.incomplete : exitCodes.ok;
}

/** @throws {CliError} when the file declares another workspace */
function requireSame({ file, declared }: Existing, { survey }: LiveWorkspace): void {
  const { workspace } = declared;
  if (workspace === undefined || workspace === survey.workspace) return;
  throw new CliError(
    `${file} declares the workspace ${workspace}, and what was read is ${survey.workspace}: name another file, or --workspace ${workspace}`,
  );
}

/** @throws {CliError} when somebody has changed the file in the meantime */
async function write({ path, before, after, isNew, isGone }: EditedFile): Promise<void> {
  if (isNew ? existsSync(path) : readFileSync(path, "utf8") !== before)
    throw new CliError(`${path} was changed in the meantime, and is left as it is: run the command again`);
  if (isGone) return rmSync(path);
  mkdirSync(dirname(resolve(path)), { recursive: true });
  await writeFileAtomically(path, after);
}
