/** Updates an existing workspace file to match the workspace, and preserves everything else in it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ExpectedName } from "../../../provider/index.js";
import { readText } from "../../../trust/checkout-files.js";
import {
  type EditedFile,
  type EditResult,
  editWorkspace,
  type NewTexts,
  readMeaning,
} from "../../../workspace-file/edit/edit.js";
import type { LintFinding } from "../../../workspace-file/lint/lint.js";
import { requireMeaning, writeUserFiles } from "../../config-files/write-user-files.js";
import { AutomationError } from "../../errors.js";
import { createExportReport, type ExportReport } from "../export-report.js";
import { lintErrors, withLintComments } from "../writers/yaml.js";
import { type Existing } from "./existing-file.js";
import { type LiveWorkspace, type PatchPlan, patchPlan, type PatchSubject } from "./plan-edits.js";

/** Lists top-level objects of the file: those that the workspace does not show may be hidden from the caller. */
export function listExpectedIn({ declared }: Existing): ExpectedName[] {
  return declared.declarations.flatMap(({ definition, name, args }) => {
    const key = args[definition.document?.keyedBy ?? ""];
    return name.split("/").length === 2 && typeof key === "string" ? [{ type: definition.type, key }] : [];
  });
}

/** What was changed in an existing file, and what was not. */
export interface PatchedFile {
  readonly report: ExportReport;
  readonly plan: PatchPlan;
  readonly result: EditResult;
  /** The files with comments for lint errors. */
  readonly files: readonly EditedFile[];
  /** Lint errors that the workspace's values cause. */
  readonly doubts: readonly string[];
  /** What could not be read. */
  readonly gaps: LiveWorkspace["discovery"]["gaps"];
  /** File and workspace still differ. */
  readonly differs: boolean;
}

/** Updates the file, unless nothing shall be written. */
export async function patchExisting(
  existing: Existing,
  found: LiveWorkspace,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<PatchedFile> {
  const began = Date.now();
  requireSame(existing, found);
  const plan = patchPlan(existing, found);
  const edits = plan.subjects.map(({ edit }) => edit);
  const none: EditResult = { files: [], expected: undefined, made: [], refused: [] };
  const result =
    edits.length === 0
      ? none
      : editWorkspace(existing.file, { ...existing.reading, dropEmptyFiles: true }, edits);
  const { files, doubts } = await lintFiles(existing, result.files);
  writeEdited({ files, expected: result.expected }, { dryRun, of: existing });
  const gaps = [...found.discovery.gaps, ...found.declared.gaps];
  const { workspace, address } = found.discovery;
  const report = createExportReport({
    began,
    workspace,
    address,
    objects: found.declared.declarations.length,
    files: files
      .filter(({ isGone }) => !isGone)
      .map(({ path, after }) => ({ path, text: after, written: !dryRun })),
    gaps,
    needed: plan.needed,
    notWritten: [
      ...result.refused.map(({ edit, reason }) => {
        const subject = plan.subjects.find((one) => one.edit === edit);
        return subject === undefined ? reason : `${formatSubject(subject)}: ${reason}`;
      }),
      ...plan.skipped,
      ...plan.open.map(({ name, arg, why }) => `${name}${arg === undefined ? "" : ` ${arg}`}: ${why}`),
    ],
  });
  return {
    report,
    plan,
    result,
    files,
    doubts,
    gaps,
    differs: result.refused.length + plan.skipped.length > 0,
  };
}

/** @throws {AutomationError} when the file declares another workspace */
function requireSame({ file, declared }: Existing, { discovery }: LiveWorkspace): void {
  const { workspace } = declared;
  if (workspace === undefined || workspace === discovery.workspace) return;
  throw new AutomationError(
    `${file} declares the workspace ${workspace}, but the workspace that was read is ${discovery.workspace}`,
    `choose another file with -o, or read the other workspace with --workspace ${workspace}`,
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

/** Says what differs of an object. */
export function formatSubject({ name, edit, change }: PatchSubject): string {
  if ("add" in edit) return `${name} is new in the workspace`;
  if ("remove" in edit) return `${name} is no longer in the workspace`;
  if ("order" in edit) return `${name}: its ${edit.order.section} run in another order`;
  return `${name} ${change?.arg ?? ""}`;
}

/**
 * Writes the files, unless nothing shall be written.
 * @param written.of the document, which must mean what is expected afterwards
 * @throws {AutomationError} before it writes anything
 */
export function writeEdited(
  { files, expected }: Pick<EditResult, "files" | "expected">,
  { dryRun, of }: { readonly dryRun: boolean; readonly of: DocumentToEdit },
): void {
  const meaning = { expected, read: (texts: NewTexts) => readMeaning(of.file, { ...of.reading, texts }) };
  if (dryRun) return requireMeaning(files, meaning);
  files.forEach(refuseChanged);
  writeUserFiles(files, meaning);
}

type DocumentToEdit = Pick<Existing, "file" | "reading">;

/** @throws {AutomationError} when the file has changed in the meantime */
function refuseChanged({ path, before, isNew }: EditedFile): void {
  if (isNew ? existsSync(path) : readText(path, { named: true }) !== before)
    throw new AutomationError(
      `${path} was changed in the meantime by somebody else, and was not written`,
      "run the command again",
    );
}
