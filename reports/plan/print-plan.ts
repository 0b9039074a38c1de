/** Prints plans, what they mean besides their operations, outside changes and results for people. */
import { formatMissingSecret } from "../../automation/plan/missing-secrets.js";
import type { Operation } from "../../automation/plan/planned-objects.js";
import type { Unverifiable } from "../../automation/plan/property-changes.js";
import type { RecordedPlan } from "../../automation/plan/record-plan.js";
import { renameHint } from "../../automation/plan/renames.js";
import type { SelectedObjects } from "../../automation/plan/selected-objects.js";
import type { CheckedPlan } from "../../automation/policy/checked-plan.js";
import { listNewRuns, listStoppedRuns } from "../../automation/policy/new-runs.js";
import { note } from "../../automation/port.js";
import type { OpenStack } from "../../automation/stack/open-stack.js";
import type { OperationResult } from "../../automation/stack/run-operations.js";
import { stripControls } from "../../client/printable.js";
import { formatCount } from "../../diff/format-count.js";
import { findDefinition } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { groupBy } from "../../text/lists.js";
import { cutLines, getWidth, wrapText } from "../../text/wrap.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { formatNotVerifiable, formatObjectCount, listNotWatchedNotes } from "../format-values.js";
import { type Io, print, printResult } from "../io.js";
import { isInOrder } from "../object-words.js";
import type { Row } from "./changed-rows.js";
import { createFileOrder, planTree, type ShownPlan } from "./plan-tree.js";
import { planRows } from "./rows.js";

interface SignLook {
  readonly symbol: string;
  readonly color: "green" | "yellow" | "magenta" | "red" | "cyan";
}

interface OperationLook extends SignLook {
  /** In a summary: `3 to create`, `3 created`. */
  readonly plan: string;
  readonly done: string;
}

const LOOKS: Record<Operation, OperationLook> = {
  create: { symbol: "+", color: "green", plan: "to create", done: "created" },
  update: { symbol: "~", color: "yellow", plan: "to update", done: "updated" },
  delete: { symbol: "-", color: "red", plan: "to delete", done: "deleted" },
  adopt: { symbol: "=", color: "green", plan: "to adopt", done: "adopted" },
  replace: { symbol: "±", color: "magenta", plan: "to replace", done: "replaced" },
  release: { symbol: "○", color: "cyan", plan: "to release (not deleted)", done: "released (not deleted)" },
};
const OUTSIDE: SignLook = { symbol: "!", color: "cyan" };

/** Operations that every summary counts. */
const ALWAYS: readonly Operation[] = ["create", "update", "delete"];

/** Prints the workspace and the stack that a command works on. */
export function printHeading({ connection, name }: Pick<OpenStack, "connection" | "name">, io: Io): void {
  const { bold } = io.colors;
  const [workspace, stack, address] = [connection.workspace, name, connection.baseUrl].map(stripControls);
  print(io, `${bold(workspace)} · stack ${bold(stack)} · ${address}\n`);
}

interface PrintPlanOptions {
  /** Show the arguments of new and deleted objects, and the unchanged lines of long strings. */
  readonly details?: boolean | undefined;
}

/** Returns the rows of a plan. @param declared the file, for its order */
export function listRows(
  plan: ShownPlan,
  { details }: PrintPlanOptions,
  io: Io,
  declared?: LoadedFile,
): Row[] {
  return planRows(planTree(plan, declared), { colors: io.colors, details, order: createFileOrder(declared) });
}

export function printRows(rows: readonly Row[], io: Io): void {
  for (const row of rows) for (const line of formatRowLines(row, io)) print(io, line);
}

/** Replacement of a row's symbol, and what follows its text. */
export interface RowMark {
  readonly symbol: string;
  readonly after?: string;
}

/** Formats a row, wrapped at words to the width of the terminal. */
export function formatRowLines({ depth, sign, text, below }: Row, io: Io, mark?: RowMark): string[] {
  const look = sign === undefined ? undefined : sign === "outside" ? OUTSIDE : LOOKS[sign];
  const symbol = mark?.symbol ?? (look === undefined ? " " : io.colors[look.color](look.symbol));
  const indent = "  ".repeat(depth);
  const whole = mark?.after === undefined ? text : `${text}  ${mark.after}`;
  const width = getWidth(io.stdout);
  const [first = "", ...others] = wrapText(whole, width - indent.length - 4);
  return [
    `${indent}${symbol} ${first}`,
    ...others.map((line) => `${indent}    ${line}`),
    ...below.flatMap((line) => cutLines(`${indent}${line}`, width)),
  ];
}

/** Prints to which objects a plan is limited. */
export function printSelection(selection: SelectedObjects | undefined, io: Io): void {
  if (selection === undefined || selection.patterns.length === 0) return;
  const { patterns, names, others } = selection;
  const list = (what: string, all: readonly string[]) =>
    all.length === 0 ? "" : `, with ${what}: ${stripControls(all.join(", "))}`;
  const along =
    list("what they need", selection.needed) + list("what follows a new name", selection.following);
  const rest = others === 1 ? "1 other is unchanged" : `${others} others are unchanged`;
  print(
    io,
    io.colors.dim(
      `Only ${stripControls(patterns.join(", "))}: ${formatObjectCount(names.size)}${along}; ${rest}\n`,
    ),
  );
}

/** `2 to create, 1 to update, 0 to delete, 14 unchanged` */
export function formatSummaryOf(
  { steps, unchanged }: Pick<RecordedPlan, "steps" | "unchanged">,
  tense: "plan" | "done",
): string {
  const countOf = (operation: Operation) => steps.filter((step) => step.operation === operation).length;
  return formatCountedSummary(countOf, unchanged, tense);
}

export function formatCountedSummary(
  countOf: (operation: Operation) => number,
  unchanged: number,
  tense: "plan" | "done",
): string {
  const parts = (Object.keys(LOOKS) as Operation[]).flatMap((operation) => {
    const count = countOf(operation);
    return count > 0 || ALWAYS.includes(operation) ? [`${count} ${LOOKS[operation][tense]}`] : [];
  });
  return [...parts, `${unchanged} unchanged`].join(", ");
}

/** Says that a plan has nothing to do. */
export function formatNothingToDo({
  unchanged,
  unverifiable,
  selection,
}: Pick<RecordedPlan, "unchanged" | "unverifiable"> & {
  readonly selection?: SelectedObjects | undefined;
}): string {
  const objects =
    selection === undefined ? formatObjectCount(unchanged) : formatCount(unchanged, "selected object");
  return `No changes: ${objects} as declared${formatNotVerifiable(unverifiable.length, ", ")}`;
}

/** `Plan: 3 to create, 1 to update, 0 to delete, 38 unchanged.` */
export function planClosing(plan: Pick<RecordedPlan, "steps" | "unchanged" | "unverifiable">): string {
  return `Plan: ${formatSummaryOf(plan, "plan")}${formatNotVerifiable(plan.unverifiable.length, " (", ")")}.`;
}

/** Prints what a completed operation did. */
export function printDone(done: OperationResult, io: Io): void {
  printNotes(done, io);
  printResult(io, `Done: ${formatSummaryOf(done, "done")} (${formatSeconds(done.milliseconds)}).`);
}

/** Prints warnings and waits of the engine and the provider. */
export function printNotes({ notes }: Pick<RecordedPlan, "notes">, io: Io): void {
  for (const line of notes) note(io, io.colors.yellow(line));
}

export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Option of the commands that compare with the service. */
export interface UnverifiableOption {
  /** List the values instead of only counting them. */
  readonly unverifiable?: boolean;
}

/** Lists the values that cannot be verified, on request. */
export function printUnverifiable(
  found: readonly Pick<Unverifiable, "type" | "name" | "path">[],
  { unverifiable }: UnverifiableOption,
  io: Io,
): void {
  if (!unverifiable || found.length === 0) return;
  print(io, io.colors.dim("Not verifiable, because the service never returns them:"));
  for (const [name, of] of groupBy(found, (one) => one.name))
    print(io, `  ${stripControls(name)}: ${of.map(({ path }) => stripControls(path)).join(", ")}`);
}

/** Names the properties whose changes are ignored. */
export function printNotWatched(plan: Pick<RecordedPlan, "notWatched">, io: Io): void {
  for (const remark of listNotWatchedNotes(plan)) print(io, io.colors.dim(stripControls(remark)));
}

/** Formats lines under a label, so that it reads without colors too: `Access:  ...` */
export function labelLines(label: string, lines: readonly string[], io: Io): string[] {
  const start = `${label}:  `;
  return lines
    .flatMap((line) => wrapText(line, getWidth(io.stdout) - start.length))
    .map((line, at) => {
      return at === 0 ? `${io.colors.bold(`${label}:`)}  ${line}` : `${" ".repeat(start.length)}${line}`;
    });
}

export interface Risk {
  readonly label: "Access" | "Starts" | "Stops" | "Secrets" | "Hint";
  readonly lines: readonly string[];
}

interface RiskOptions {
  /** Include parts of something, which the tree of a plan shows in their place. */
  readonly parts?: boolean;
}

export function listRisks(
  {
    access,
    objects,
    missingSecrets,
    possibleRenames,
  }: Pick<CheckedPlan, "access" | "objects" | "missingSecrets" | "possibleRenames">,
  { parts = false }: RiskOptions = {},
): Risk[] {
  const isShown = ({ type }: { readonly type: string }) => parts || !isInOrder(findDefinition(type));
  const started = listNewRuns(objects)
    .filter(isShown)
    .map(({ name, runs, before }) => {
      const was = before === undefined ? "" : ` (before: ${before})`;
      return `${countKeys(name)} ${runs}${was}`;
    });
  const stopped = listStoppedRuns(objects)
    .filter(isShown)
    .map(({ name, before }) => `${countKeys(name)}, which runs ${before}`);
  const all: Risk[] = [
    { label: "Access", lines: access.lines.map(stripControls) },
    { label: "Starts", lines: started.map(stripControls) },
    { label: "Stops", lines: stopped.map(stripControls) },
    {
      label: "Secrets",
      lines: missingSecrets.map((one) => stripControls(`up needs one for ${formatMissingSecret(one)}`)),
    },
    { label: "Hint", lines: possibleRenames.map((one) => stripControls(renameHint(one))) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

/** `web/Deploy` of `projects/web/pipelines/Deploy` */
function countKeys(name: string): string {
  const isPath = name.split("/").length % 2 === 0;
  return isPath ? new LogicalName(name).steps.map(({ key }) => key).join("/") : name;
}
