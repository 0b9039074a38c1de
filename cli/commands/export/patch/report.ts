/** Prints the result of an update. */
import { isSensitive, looksSecret } from "../../../../provider/index.js";
import { AsWritten, type EditResult, type Refused } from "../../../../workspace-file/edit/index.js";
import { note, type Io } from "../../../terminal/io.js";
import { formatBlockLines, Phrase, showChange } from "../../../terminal/shown-change.js";
import { listNotWatchedNotes, stripControls } from "../../../reporters/format-values.js";
import { formatCount } from "../../../../diff/format-count.js";
import { formatFirst } from "../../../lists.js";
import { getLastKey } from "./names-in-file.js";
import { noteOverrides } from "./write-edited-files.js";
import type { PatchPlan, PatchSubject } from "./plan-edits.js";

export interface PatchResult {
  readonly plan: PatchPlan;
  readonly result: EditResult;
  /** Nothing was written. */
  readonly dryRun: boolean;
}

/** Maximum number of objects that a line names. */
const NAMED = 20;

/** Prints what was changed, and what was not. */
export function printPatch({ plan, result, dryRun }: PatchResult, file: string, io: Io): void {
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
    for (const line of plan.open) note(io, `  ${line}`);
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
  if (isSecret(subject, change.before) || isSecret(subject, change.value))
    return ["the two values differ; they look like a secret, and are not shown"];
  const shown = showChange(change.before ?? NOT_SET, change.value ?? NOT_SET);
  if ("before" in shown) return [`the file's value is ${shown.before}, the workspace's ${shown.after}`];
  return ["- the file's value, + the workspace's:", ...formatBlockLines(shown)];
}

const NOT_SET = new Phrase("not set");

function isSecret({ name, change, secret }: PatchSubject, value: unknown): boolean {
  const named = isSensitive(change?.arg) || isSensitive(getLastKey(name));
  return secret === true || named || value instanceof AsWritten || looksSecret(value);
}
