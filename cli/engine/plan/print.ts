/** Prints plans, drift and results as text. */
import { print, note, type Io } from "../../terminal/io.js";
import { plain } from "../../reporters/values.js";
import type { PropertyChange } from "./changes.js";
import { groupSteps, MANY, type StepGroup } from "./groups.js";
import { forced, forcing, reasonsWithoutChange } from "./reasons.js";
import type { Drift, Operation, PlanProblem, PlanStep, RecordedPlan } from "./steps.js";

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

export interface PrintPlanOptions {
  /** Show the properties of new and deleted objects too. */
  readonly details?: boolean | undefined;
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

/** Prints the operation on each object. */
export function printPlan({ steps }: RecordedPlan, options: PrintPlanOptions, io: Io): void {
  const width = typeWidth(steps);
  for (const group of groupSteps(steps, options.details === true)) {
    const [step] = group.steps as [PlanStep];
    if (group.steps.length === 1) print(io, stepLine(step, width, io));
    else printGroup(group, width, io);
    const showsAll = CHANGING.includes(step.operation) || options.details;
    if (showsAll) printChanges(step.changes, io, step);
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
export function summary({ steps, unchanged }: RecordedPlan, tense: "plan" | "done"): string {
  const parts = (Object.keys(LOOKS) as Operation[]).flatMap((operation) => {
    const count = steps.filter((step) => step.operation === operation).length;
    return count === 0 ? [] : [`${count} ${LOOKS[operation][tense]}`];
  });
  return [...parts, ...(unchanged > 0 ? [`${unchanged} unchanged`] : [])].join(", ") || "nothing";
}

/** Prints warnings and waits of the engine and the provider. */
export function printNotes({ notes }: RecordedPlan, io: Io): void {
  for (const line of notes) note(io, io.colors.yellow(line));
}

/** Maximum number of names printed for a group. */
const NAMED = 3;
/** Maximum number of objects named for one problem; more than for a group, because they have to be fixed. */
const NAMED_FAILED = 20;

/** Formats all problems of an operation; one shared by many objects appears once. */
export function problemText(problems: readonly PlanProblem[]): string {
  const byMessage = new Map<string, (string | undefined)[]>();
  for (const { name, message } of problems) {
    const common = message.replace(/ \(object [^)]*\)/, "");
    byMessage.set(common, [...(byMessage.get(common) ?? []), name]);
  }
  const texts = [...byMessage].map(([message, names]) => {
    const of = namesOf(names.filter((name) => name !== undefined));
    return `${of}${message}`.replaceAll("\n", "\n  ");
  });
  const [only = "", ...others] = texts;
  return others.length === 0 ? only : [`${texts.length} problems:`, ...texts].join("\n  ");
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > NAMED_FAILED ? ` and ${names.length - NAMED_FAILED} more` : "";
  return `${plain(names.toSorted().slice(0, NAMED_FAILED).join(", "))}${more}: `;
}

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

function printChanges(changes: readonly PropertyChange[], io: Io, step?: PlanStep): void {
  const width = Math.max(0, ...changes.map(({ path }) => path.length));
  const { dim, red, green } = io.colors;
  for (const { path, before, after } of changes) {
    const both = `${red(before)} ${dim("→")} ${green(after)}`;
    const shown = step?.operation === "create" ? after : step?.operation === "delete" ? before : both;
    const why = forcing(path, step?.reasons ?? []);
    print(io, `        ${path.padEnd(width)}  ${shown}${why === undefined ? "" : dim(`  ${why}`)}`);
  }
  for (const reason of reasonsWithoutChange(step?.reasons ?? [], changes))
    print(io, `        ${dim(forced(reason))}`);
}

function typeWidth(items: readonly { readonly type: string }[]): number {
  return Math.max(0, ...items.map(({ type }) => type.length));
}
