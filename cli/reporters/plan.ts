/** Writes plans, outside changes and results as text. */
import { print, printResult, note, type Io } from "../terminal/io.js";
import type { OpenStack } from "../engine/stack/open.js";
import type { OperationResult } from "../engine/stack/operations.js";
import { groupBy } from "../lists.js";
import { notWatchedRemarks, objectsText, plain } from "./values.js";
import type { Unverifiable } from "../engine/plan/write-only.js";
import { ownArguments, type PropertyChange } from "../engine/plan/changes.js";
import type { Fields } from "../../provider/index.js";
import { shownChange, valueLines } from "../terminal/change.js";
import { coloredChange, coloredLines, inOneLine } from "../terminal/colored-change.js";
import { forced, forcing, reasonsWithoutChange } from "../engine/plan/reasons.js";
import type { SelectedObjects } from "../engine/plan/selection.js";
import {
  shownKey,
  type Drift,
  type Operation,
  type PlanStep,
  type RecordedPlan,
} from "../engine/plan/steps.js";
import type { NewRun } from "../policies/new-runs.js";

interface Look {
  readonly symbol: string;
  readonly color: "green" | "yellow" | "magenta" | "red" | "cyan";
  /** In a summary: `3 to create`, `3 created`. */
  readonly plan: string;
  readonly done: string;
}

const LOOKS: Record<Operation, Look> = {
  create: { symbol: "+", color: "green", plan: "to create", done: "created" },
  adopt: { symbol: "=", color: "green", plan: "to adopt (there already)", done: "adopted" },
  update: { symbol: "~", color: "yellow", plan: "to update", done: "updated" },
  replace: { symbol: "±", color: "magenta", plan: "to replace", done: "replaced" },
  delete: { symbol: "-", color: "red", plan: "to delete", done: "deleted" },
  release: { symbol: "○", color: "cyan", plan: "to release (not deleted)", done: "released (not deleted)" },
};

/** Operations on existing objects, whose changes are always shown. */
const CHANGING: readonly Operation[] = ["update", "replace", "adopt"];

interface PrintPlanOptions {
  /** Show the arguments of new and deleted objects, and texts with their unchanged lines. */
  readonly details?: boolean | undefined;
}

/** Prints the workspace and the stack that a command works on. */
export function printHeading({ connection, name }: Pick<OpenStack, "connection" | "name">, io: Io): void {
  const { bold } = io.colors;
  print(io, `Workspace ${bold(connection.workspace)} at ${connection.baseUrl}, stack ${bold(name)}\n`);
}

/** Prints what was changed outside since the last run. */
export function printDrift(drift: readonly Drift[], io: Io): void {
  if (drift.length === 0) return;
  print(io, io.colors.bold("Changed outside since the last run:"));
  const width = typeWidth(drift);
  for (const { type, name, gone, changes } of drift) {
    print(
      io,
      `  ${io.colors.cyan("!")} ${type.padEnd(width)}  ${plain(name)}${gone ? io.colors.cyan("  is gone") : ""}`,
    );
    printChanges(changes, io);
  }
  print(io);
}

/** Prints to which objects a plan is limited. */
export function printSelection(selection: SelectedObjects | undefined, io: Io): void {
  if (selection === undefined || selection.patterns.length === 0) return;
  const { patterns, names, needed, others } = selection;
  const along = needed.length === 0 ? "" : `, with what they need: ${plain(needed.join(", "))}`;
  const rest = others === 1 ? "1 other stays as it is" : `${others} others stay as they are`;
  print(
    io,
    io.colors.dim(`Only ${plain(patterns.join(", "))}: ${objectsText(names.size)}${along}; ${rest}\n`),
  );
}

/** Prints the operation on each object. */
export function printPlan(
  { steps, shown }: Pick<RecordedPlan, "steps"> & Partial<Pick<RecordedPlan, "shown">>,
  options: PrintPlanOptions,
  io: Io,
): void {
  const width = typeWidth(steps);
  for (const group of groupSteps(steps, options.details === true)) {
    const [step] = group.steps as [PlanStep];
    if (group.steps.length === 1) print(io, stepLine(step, width, io));
    else printGroup(group, width, io);
    if (CHANGING.includes(step.operation)) printChanges(step.changes, io, step, options.details);
    else if (options.details) {
      const { before, after } = shown?.get(shownKey(step)) ?? {};
      printArguments(step, after ?? before, io);
    }
  }
}

/**
 * Prints a line for each completed object, aligned with the plan shown before. Prints nothing for many objects, because the
 * plan has listed them and progress counts them.
 */
export function donePrinter({ steps }: Pick<RecordedPlan, "steps">, io: Io): (step: PlanStep) => void {
  if (steps.length >= MANY) return () => undefined;
  const width = typeWidth(steps);
  return (step) => {
    const took = step.milliseconds === undefined ? "" : ` in ${seconds(step.milliseconds)}`;
    print(io, `${stepLine(step, width, io)}  ${io.colors.dim(LOOKS[step.operation].done + took)}`);
  };
}

/** `2 to create, 1 to update, 14 unchanged` */
export function summary(
  { steps, unchanged }: Pick<RecordedPlan, "steps" | "unchanged">,
  tense: "plan" | "done",
): string {
  const parts = (Object.keys(LOOKS) as Operation[]).flatMap((operation) => {
    const count = steps.filter((step) => step.operation === operation).length;
    return count === 0 ? [] : [`${count} ${LOOKS[operation][tense]}`];
  });
  return [...parts, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])].join(", ") || "nothing";
}

/** Prints what a completed operation did. */
export function printDone(done: OperationResult, io: Io): void {
  printNotes(done, io);
  printResult(io, `${io.quiet ? "" : "\n"}Done: ${summary(done, "done")} (${seconds(done.milliseconds)})`);
}

/** Prints what runs after the plan that did not run before. */
export function printNewRuns(found: readonly NewRun[], io: Io): void {
  if (found.length === 0) return;
  print(io, `\n${io.colors.bold("Runs after this plan:")}`);
  const width = typeWidth(found);
  for (const { type, name, runs, before } of found) {
    const was = io.colors.dim(before === undefined ? "  (new)" : `  (before: ${before})`);
    print(io, `  ${type.padEnd(width)}  ${plain(name)}  ${plain(runs)}${was}`);
  }
}

/** Prints warnings and waits of the engine and the provider. */
export function printNotes({ notes }: RecordedPlan, io: Io): void {
  for (const line of notes) note(io, io.colors.yellow(line));
}

/** Maximum number of names printed for a group. */
const NAMED = 3;
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Describes equal steps: their number and names. */
function printGroup({ steps, place }: StepGroup, width: number, io: Io): void {
  const [{ operation, type }] = steps as [PlanStep];
  const { symbol, color } = LOOKS[operation];
  const names = steps.map(({ name }) => name.slice(place.length));
  // Deleted objects are always named.
  const shown = operation === "delete" ? names : names.slice(0, NAMED);
  const more = names.length - shown.length;
  const last = more > 0 ? ` and ${more} more` : "";
  const count = io.colors.dim(` (${steps.length})`);
  print(
    io,
    `  ${io.colors[color](symbol)} ${type.padEnd(width)}  ${plain(place)}${count}  ${plain(shown.join(", "))}${last}`,
  );
}

function stepLine({ operation, type, name, formerName }: PlanStep, width: number, io: Io): string {
  const { symbol, color } = LOOKS[operation];
  const former = formerName === undefined ? "" : io.colors.dim(`  (was ${plain(formerName)})`);
  return `  ${io.colors[color](symbol)} ${type.padEnd(width)}  ${plain(name)}${former}`;
}

function printChanges(changes: readonly PropertyChange[], io: Io, step?: PlanStep, details = false): void {
  const shown = changes.map(({ path, before, after }) => ({
    path,
    change: shownChange(before, after, details ? { context: Infinity } : {}),
  }));
  const short = shown.filter(({ change }) => inOneLine(change));
  const width = Math.max(0, ...short.map(({ path }) => path.length));
  const { dim } = io.colors;
  for (const { path, change } of shown) {
    const why = forcing(path, step?.reasons ?? []);
    const end = why === undefined ? "" : dim(`  ${why}`);
    const line = inOneLine(change);
    if (line) print(io, `        ${plain(path).padEnd(width)}  ${coloredChange(change, io.colors)}${end}`);
    else {
      print(io, `        ${plain(path)}${end}`);
      for (const text of coloredLines(change, io.colors)) print(io, `          ${text}`);
    }
  }
  for (const reason of reasonsWithoutChange(step?.reasons ?? [], changes))
    print(io, `        ${dim(forced(reason))}`);
}

/** Prints the arguments of a new or deleted object. */
function printArguments({ type }: PlanStep, args: Fields | undefined, io: Io): void {
  if (args === undefined) return;
  for (const line of valueLines(ownArguments(type, args))) print(io, `        ${line}`);
}

function typeWidth(items: readonly { readonly type: string }[]): number {
  return Math.max(0, ...items.map(({ type }) => type.length));
}

/** Number of steps from which equal ones are grouped. */
export const MANY = 60;

/** Steps that share a line: the same operation and type, with the same changes or the same parent. */
interface StepGroup {
  readonly steps: readonly PlanStep[];
  /** Common prefix of their names, up to the last /; empty without one. */
  readonly place: string;
}

/** Groups steps in the order of their first ones; with few steps, or with `whole`, each is a group of its own. */
export function groupSteps(steps: readonly PlanStep[], whole = false): StepGroup[] {
  if (whole || steps.length < MANY) return steps.map((step) => ({ steps: [step], place: "" }));
  return [...groupBy(steps, keyOf).values()].map((group) => ({ steps: group, place: commonPlace(group) }));
}

/** Key that two steps have to share to be grouped. */
function keyOf({ operation, type, name, formerName, changes, reasons }: PlanStep): string {
  // A rename or a replacement is always shown by itself.
  if (formerName !== undefined || operation === "replace") return JSON.stringify([operation, name]);
  if (operation === "update" || operation === "adopt")
    return JSON.stringify([operation, type, changes, reasons]);
  // New objects are grouped by project, deleted ones by their exact parent.
  return JSON.stringify([operation, type, operation === "create" ? topOf(name) : placeOf(name)]);
}

function topOf(name: string): string {
  const parts = name.split("/");
  return parts.slice(0, Math.min(2, parts.length - 1)).join("/");
}

function placeOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function commonPlace(steps: readonly PlanStep[]): string {
  const parts = steps.map(({ name }) => placeOf(name).split("/"));
  const [first = []] = parts;
  const same = first.findIndex((part, index) => parts.some((other) => other[index] !== part));
  const common = first.slice(0, same < 0 ? first.length : same).join("/");
  return common === "" || common.endsWith("/") ? common : `${common}/`;
}

/** Option of the commands that compare with the service. */
export interface UnverifiableOption {
  /** List the values instead of only counting them. */
  readonly unverifiable?: boolean;
}

/** Prints the number of values in one line, or the list of them. */
export function printUnverifiable(
  found: readonly Unverifiable[],
  { unverifiable }: UnverifiableOption,
  io: Io,
): void {
  if (found.length === 0) return;
  const byObject = groupBy(found, ({ type, name }) => `${type}  ${name}`);
  const values = found.length === 1 ? "1 value" : `${found.length} values`;
  const objects = objectsText(byObject.size);
  const more = unverifiable ? ":" : " (--unverifiable lists them)";
  print(
    io,
    io.colors.dim(`${values} of ${objects} cannot be verified: the service does not show them${more}`),
  );
  if (!unverifiable) return;
  const width = typeWidth(found);
  for (const of of byObject.values()) {
    const [{ type, name } = { type: "", name: "" }] = of;
    print(io, `  ${type.padEnd(width)}  ${name}  ${of.map(({ path }) => path).join(", ")}`);
  }
}

/** Names the properties whose changes are ignored. */
export function printNotWatched(plan: Pick<RecordedPlan, "notWatched">, io: Io): void {
  for (const remark of notWatchedRemarks(plan)) print(io, io.colors.dim(plain(remark)));
}
