/** Updates an existing workspace file to match the workspace, and preserves everything else in it. */
import { resolve } from "node:path";
import type { ExpectedName } from "../../../../provider/index.js";
import { editWorkspace, type EditedFile, type EditResult } from "../../../../workspace-file/edit/index.js";
import { CliError } from "../../../errors.js";
import { exitCodes } from "../../../exit-codes.js";
import type { Io } from "../../../terminal/io.js";
import { openValues, type VariablesFileOptions } from "../variables-file.js";
import { printRemaining } from "../print-remaining.js";
import type { Existing } from "./existing-file.js";
import { patchPlan, type LiveWorkspace } from "./plan-edits.js";
import { printPatch } from "./report.js";
import { writeEdited } from "./write-edited-files.js";
import type { LintFinding } from "../../../../workspace-file/lint/index.js";
import { lintErrors, withLintComments } from "../lint-exported.js";

export { openExisting, type Existing, type ReadingOptions } from "./existing-file.js";
export type { LiveWorkspace } from "./plan-edits.js";

/** Lists top-level objects of the file: those that the workspace does not show may be hidden from the caller. */
export function listExpectedIn({ declared }: Existing): ExpectedName[] {
  return declared.declarations.flatMap(({ definition, name, args }) => {
    const key = args[definition.document?.keyedBy ?? ""];
    return name.split("/").length === 2 && typeof key === "string" ? [{ type: definition.type, key }] : [];
  });
}

/** @returns the exit code: 7 when file and workspace still differ, 10 when not all could be read or compared */
export async function patchExisting(
  existing: Existing,
  found: LiveWorkspace,
  options: VariablesFileOptions & { readonly dryRun?: boolean },
  io: Io,
): Promise<number> {
  const { dryRun = false } = options;
  requireSame(existing, found);
  const plan = patchPlan(existing, found);
  const edits = plan.subjects.map(({ edit }) => edit);
  const none: EditResult = { files: [], made: [], refused: [] };
  const result =
    edits.length === 0
      ? none
      : editWorkspace(existing.file, { ...existing.reading, dropEmptyFiles: true }, edits);
  const { files, doubts } = await lintFiles(existing, result.files);
  await writeEdited(files, { dryRun, label: "exported" }, io);
  printPatch({ plan, result, dryRun }, existing.file, io);
  const gaps = [...found.discovery.gaps, ...found.declared.gaps];
  const needed = openValues(plan.needed, dryRun ? {} : options, io);
  printRemaining({ needed, doubts, gaps }, "Not read, and unchanged in the file:", io);
  if (result.refused.length + plan.skipped.length > 0) return exitCodes.drift;
  return gaps.length + plan.open.length > 0 ? exitCodes.incomplete : exitCodes.ok;
}

/** @throws {CliError} when the file declares another workspace */
function requireSame({ file, declared }: Existing, { discovery }: LiveWorkspace): void {
  const { workspace } = declared;
  if (workspace === undefined || workspace === discovery.workspace) return;
  throw new CliError(
    `${file} declares the workspace ${workspace}, and what was read is ${discovery.workspace}`,
    `choose another file, or --workspace ${workspace}`,
  );
}

interface LintedFiles {
  readonly files: readonly EditedFile[];
  /** `file:line: message` */
  readonly doubts: readonly string[];
}

async function lintFiles({ file, reading }: Existing, files: readonly EditedFile[]): Promise<LintedFiles> {
  const written = files.filter(({ isGone }) => !isGone);
  const texts = new Map(written.map(({ path, after }) => [resolve(path), after]));
  const errors = files.length === 0 ? [] : await lintErrors(file, texts, reading);
  if (errors.length === 0) return { files, doubts: [] };
  const identity = ({ code, message, place }: LintFinding) => `${code} ${place.file} ${message}`;
  const known = new Set((await lintErrors(file, new Map(), reading)).map(identity));
  const fresh = errors.filter((finding) => !known.has(identity(finding)));
  const commented = withLintComments(texts, fresh);
  return {
    files: files.map((one) => ({ ...one, after: commented.get(resolve(one.path)) ?? one.after })),
    doubts: fresh.map(({ place, message }) => `${place.file}:${place.line}: ${message}`),
  };
}
