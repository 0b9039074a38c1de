/** Prints what was changed in a workspace file, and what was not. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { getLastKey } from "../automation/export/patch/existing-file.js";
import { formatSubject, type PatchedFile } from "../automation/export/patch/patch-existing.js";
import type { PatchSubject } from "../automation/export/patch/plan-edits.js";
import { note } from "../automation/port.js";
import { stripControls } from "../client/printable.js";
import { formatCount } from "../diff/format-count.js";
import { isSensitive, looksSecret } from "../provider/index.js";
import { formatFirst } from "../text/lists.js";
import { formatBlockLines, Phrase, showChange } from "../text/shown-change.js";
import { isInside } from "../trust/checkout.js";
import {
  AsWritten,
  describeEdit,
  type EditedFile,
  type MadeEdit,
  type Refused,
} from "../workspace-file/edit/edit.js";
import { printDiff } from "./colored-change.js";
import { listNotWatchedNotes } from "./format-values.js";
import { type Io, print } from "./io.js";

interface Edited {
  readonly dryRun: boolean;
  readonly label: string;
  /** The workspace file, or the folder of it. */
  readonly of: string;
}

/** Prints the names of the files that were written, or else how they would change. */
export async function printEditedFiles(
  files: readonly EditedFile[],
  { dryRun, label, of }: Edited,
  io: Io,
): Promise<void> {
  for (const { path, before, after } of files)
    if (dryRun) await printDiff(path, before, after, label, io);
    else print(io, path);
  const folder = findFolderOf(of);
  for (const { path } of files)
    if (!isInside(folder, resolve(path)))
      note(
        io,
        `${path} is not in the folder of ${of}: whatever else uses it changes, too. ` +
          "To change this workspace only, set the value in an overlay.",
      );
}

/** The folder whose files belong to a workspace file. */
function findFolderOf(file: string): string {
  const path = resolve(file);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
}

/** Maximum number of objects that a line names. */
const NAMED = 20;

/** Prints what was changed, and what was not. */
export function printPatch(
  { plan, result }: Pick<PatchedFile, "plan" | "result">,
  { file, dryRun = false }: { readonly file: string; readonly dryRun?: boolean | undefined },
  io: Io,
): void {
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
    note(io, `${red("kept in the file:")} ${subject === undefined ? "" : formatSubject(subject)}`);
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

/** Names the objects that no longer have the value of a template, of defaults or of an alias. */
export function noteOverrides(made: readonly MadeEdit[], io: Io): void {
  const names = new Set(made.filter(({ override }) => override).map(({ edit }) => describeEdit(edit)));
  if (names.size === 0) return;
  const listed = [...names].join(", ");
  const what = "These now set their own value instead of the value from a template, defaults or an alias";
  note(io, io.colors.dim(`${what}: ${listed}`));
}
