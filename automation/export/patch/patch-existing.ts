/** Updates an existing workspace file to match the workspace, and preserves everything else in it. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { stripControls } from "../../../client/printable.js";
import { formatCount } from "../../../diff/format-count.js";
import { type ExpectedName, isSensitive, looksSecret } from "../../../provider/index.js";
import { formatFirst } from "../../../text/lists.js";
import { formatBlockLines, Phrase, showChange } from "../../../text/shown-change.js";
import { readText } from "../../../trust/checkout-files.js";
import {
  AsWritten,
  describeEdit,
  type EditedFile,
  type EditResult,
  editWorkspace,
  type MadeEdit,
  type NewTexts,
  readMeaning,
  type Refused,
} from "../../../workspace-file/edit/index.js";
import type { LintFinding } from "../../../workspace-file/lint/index.js";
import { requireMeaning, writeUserFiles } from "../../config-files/write-user-files.js";
import { AutomationError } from "../../errors.js";
import { type Io, note, print } from "../../io.js";
import { printDiff } from "../../report/colored-change.js";
import { exitCodes } from "../../report/exit-codes.js";
import { listNotWatchedNotes } from "../../report/format-values.js";
import { createExportReport, type ExportReport } from "../export-report.js";
import { openValues, printRemaining, type VariablesFileOptions } from "../remaining.js";
import { lintErrors, withLintComments } from "../writers/yaml.js";
import { type Existing, getLastKey } from "./existing-file.js";
import { type LiveWorkspace, type PatchPlan, patchPlan, type PatchSubject } from "./plan-edits.js";

/** Lists top-level objects of the file: those that the workspace does not show may be hidden from the caller. */
export function listExpectedIn({ declared }: Existing): ExpectedName[] {
  return declared.declarations.flatMap(({ definition, name, args }) => {
    const key = args[definition.document?.keyedBy ?? ""];
    return name.split("/").length === 2 && typeof key === "string" ? [{ type: definition.type, key }] : [];
  });
}

/** @returns the report, and the exit code: 7 when file and workspace still differ, 10 when not all could be read or compared */
export async function patchExisting(
  existing: Existing,
  found: LiveWorkspace,
  options: VariablesFileOptions & { readonly dryRun?: boolean },
  io: Io,
): Promise<{ readonly report: ExportReport; readonly exitCode: number }> {
  const began = Date.now();
  const { dryRun = false } = options;
  requireSame(existing, found);
  const plan = patchPlan(existing, found);
  const edits = plan.subjects.map(({ edit }) => edit);
  const none: EditResult = { files: [], expected: undefined, made: [], refused: [] };
  const result =
    edits.length === 0
      ? none
      : editWorkspace(existing.file, { ...existing.reading, dropEmptyFiles: true }, edits);
  const { files, doubts } = await lintFiles(existing, result.files);
  await writeEdited({ files, expected: result.expected }, { dryRun, label: "exported", of: existing }, io);
  printPatch({ plan, result, dryRun }, existing.file, io);
  const gaps = [...found.discovery.gaps, ...found.declared.gaps];
  const needed = openValues(plan.needed, dryRun ? {} : options, io);
  printRemaining({ needed, doubts, gaps }, "Not read, and unchanged in the file:", io);
  const { workspace, address } = found.discovery;
  const differs = result.refused.length + plan.skipped.length > 0;
  const isIncomplete = gaps.length + plan.open.length > 0;
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
        return subject === undefined ? reason : `${formatSentence(subject)}: ${reason}`;
      }),
      ...plan.skipped,
      ...plan.open.map(({ name, arg, why }) => `${name}${arg === undefined ? "" : ` ${arg}`}: ${why}`),
    ],
  });
  return { report, exitCode: differs ? exitCodes.drift : isIncomplete ? exitCodes.incomplete : exitCodes.ok };
}

/** @throws {AutomationError} when the file declares another workspace */
function requireSame({ file, declared }: Existing, { discovery }: LiveWorkspace): void {
  const { workspace } = declared;
  if (workspace === undefined || workspace === discovery.workspace) return;
  throw new AutomationError(
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

interface PatchResult {
  readonly plan: PatchPlan;
  readonly result: EditResult;
  /** Nothing was written. */
  readonly dryRun: boolean;
}

/** Maximum number of objects that a line names. */
const NAMED = 20;

/** Prints what was changed, and what was not. */
function printPatch({ plan, result, dryRun }: PatchResult, file: string, io: Io): void {
  const { red, dim } = io.colors;
  const of = (edit: unknown) => plan.subjects.find((one) => one.edit === edit);
  const done = result.made.filter((one) => one.file !== undefined).map(({ edit }) => edit);
  const namesWith = (...words: readonly string[]) => {
    const edits = done.filter((edit) => words.some((word) => word in edit));
    return [...new Set(edits.map((edit) => of(edit)?.name ?? ""))];
  };
  const made: readonly (readonly [word: string, names: readonly string[]])[] = [
    ["changed", namesWith("set", "unset")],
    ["added", namesWith("add")],
    ["removed", namesWith("remove")],
    ["reordered", namesWith("order")],
  ];
  const parts = made.flatMap(([word, names]) => (names.length === 0 ? [] : [`${names.length} ${word}`]));
  const differs = result.refused.length + plan.skipped.length > 0;
  const none = differs ? "nothing was changed" : "nothing to change";
  const what = parts.length === 0 ? none : parts.join(", ");
  note(io, `${file}: ${what}${dryRun ? "; nothing was written" : ""}`);
  for (const [word, names] of made)
    if (names.length > 0) note(io, `  ${word}: ${stripControls(formatFirst(names, NAMED))}`);
  noteOverrides(result.made, io);
  if (parts.length > 0 && !dryRun) note(io, dim(formatNextStep(namesWith("add").length > 0)));
  for (const refused of result.refused) {
    const subject = of(refused.edit);
    note(io, `${red("kept in the file:")} ${subject === undefined ? "" : formatSentence(subject)}`);
    note(io, `  ${refused.reason}`);
    for (const line of subject === undefined ? [] : formatBothValues(subject, refused)) note(io, `  ${line}`);
  }
  for (const line of plan.skipped) note(io, `${red("kept in the file:")} ${line}`);
  if (plan.open.length > 0) {
    note(io, `Not compared (${formatCount(plan.open.length, "value")}):`);
    for (const { name, arg, why } of plan.open)
      note(io, `  ${name}${arg === undefined ? "" : ` ${arg}`}: ${why}`);
  }
  for (const remark of listNotWatchedNotes(plan)) note(io, dim(stripControls(remark)));
}

/** The next commands for a file with a stack, whose state is not updated yet. */
const formatNextStep = (added: boolean) =>
  `If the file has a stack, run "workspacectl refresh"${added ? ', then "workspacectl import" for what is new' : ""}`;

function formatSentence({ name, edit, change }: PatchSubject): string {
  if ("add" in edit) return `${name} is new in the workspace`;
  if ("remove" in edit) return `${name} is no longer in the workspace`;
  if ("order" in edit) return `${name}: its ${edit.order.section} run in another order`;
  return `${name} ${change?.arg ?? ""}`;
}

/** Describes both values, unless they are secret. */
function formatBothValues(subject: PatchSubject, { code }: Refused): string[] {
  const { change } = subject;
  if (change === undefined || code === "invalid") return [];
  if (looksLikeSecret(subject, change.before) || looksLikeSecret(subject, change.value))
    return ["the two values differ; they look like a secret, and are not shown"];
  const shown = showChange(change.before ?? NOT_SET, change.value ?? NOT_SET);
  if ("before" in shown) return [`the file's value is ${shown.before}, the workspace's ${shown.after}`];
  return ["- the file's value, + the workspace's:", ...formatBlockLines(shown)];
}

const NOT_SET = new Phrase("not set");

function looksLikeSecret({ name, change, secret }: PatchSubject, value: unknown): boolean {
  const named = isSensitive(change?.arg) || isSensitive(getLastKey(name));
  return secret === true || named || value instanceof AsWritten || looksSecret(value);
}

/**
 * Writes the files and prints their names; with `dryRun`, only shows the changes.
 * @param written.of the document, which must mean what is expected afterwards
 * @throws {AutomationError} before it writes anything
 */
export async function writeEdited(
  { files, expected }: Pick<EditResult, "files" | "expected">,
  { dryRun, label, of }: { readonly dryRun: boolean; readonly label: string; readonly of: DocumentToEdit },
  io: Io,
): Promise<void> {
  const meaning = { expected, read: (texts: NewTexts) => readMeaning(of.file, { ...of.reading, texts }) };
  if (dryRun) requireMeaning(files, meaning);
  else {
    files.forEach(refuseChanged);
    writeUserFiles(files, meaning);
  }
  for (const { path, before, after } of files)
    if (dryRun) await printDiff(path, before, after, label, io);
    else print(io, path);
}

type DocumentToEdit = Pick<Existing, "file" | "reading">;

/** @throws {AutomationError} when the file has changed in the meantime */
function refuseChanged({ path, before, isNew }: EditedFile): void {
  if (isNew ? existsSync(path) : readText(path, { named: true }) !== before)
    throw new AutomationError(
      `${path} has changed in the meantime and was not written`,
      "run the command again",
    );
}

/** Names the objects that no longer have the value of a template, of defaults or of an alias. */
export function noteOverrides(made: readonly MadeEdit[], io: Io): void {
  const names = new Set(made.filter(({ override }) => override).map(({ edit }) => describeEdit(edit)));
  if (names.size === 0) return;
  const listed = [...names].join(", ");
  const what = "These now set their own value instead of the value from a template, defaults or an alias";
  note(io, io.colors.dim(`${what}: ${listed}`));
}
