/** The row of an object in a plan: its changes and arguments, for the lines below it. */
import { stripControls } from "../../../client/printable.js";
import type { Fields } from "../../../provider/index.js";
import { pickOwnArguments, type PropertyChange } from "../../engine/plan/property-changes.js";
import {
  formatForced,
  findForcing,
  listReasonsWithoutChange,
  type Reason,
} from "../../engine/plan/replacement-reasons.js";
import type { Operation } from "../../engine/plan/planned-objects.js";
import type { PlanStep } from "../../engine/plan/record-plan.js";
import { showChange, formatValueLines } from "../../terminal/shown-change.js";
import { colorChange, colorLines, fitsOneLine } from "../../terminal/colored-change.js";
import type { Io } from "../../terminal/io.js";
import type { FileOrder } from "./tree.js";

/** A line of a plan, with the lines that belong to it. */
export interface Row {
  readonly depth: number;
  /** What happens; absent for an object that only contains others. */
  readonly sign?: Operation | "outside" | undefined;
  readonly text: string;
  /** Lines below it, which are never wrapped. */
  readonly below: readonly string[];
  /** The operations that it stands for. */
  readonly steps: readonly PlanStep[];
}

export interface RowOptions {
  readonly colors: Io["colors"];
  /** Show the arguments of new and deleted objects, and the unchanged lines of long strings. */
  readonly details?: boolean | undefined;
  readonly order?: FileOrder;
}

interface ChangeLineOptions {
  readonly reasons?: readonly Reason[] | undefined;
  /** Show texts with their unchanged lines. */
  readonly details?: boolean | undefined;
}

const INDENT = " ".repeat(4);

export function formatChangeLines(
  changes: readonly PropertyChange[],
  colors: Io["colors"],
  { reasons = [], details = false }: ChangeLineOptions,
): string[] {
  const shown = changes.map(({ path, before, after }) => ({
    path,
    change: showChange(before, after, details ? { context: Infinity } : {}),
  }));
  const short = shown.filter(({ change }) => fitsOneLine(change));
  const width = Math.max(0, ...short.map(({ path }) => path.length));
  const { dim } = colors;
  const lines = shown.flatMap(({ path, change }) => {
    const why = findForcing(path, reasons);
    const end = why === undefined ? "" : dim(`  ${why}`);
    if (fitsOneLine(change))
      return [`${stripControls(path).padEnd(width)}  ${colorChange(change, colors)}${end}`];
    return [`${stripControls(path)}${end}`, ...colorLines(change, colors).map((text) => `  ${text}`)];
  });
  const others = listReasonsWithoutChange(reasons, changes).map((reason) => dim(formatForced(reason)));
  return [...lines, ...others].map((line) => INDENT + line);
}

/** Lists the arguments of a new or deleted object. */
export function formatArgumentLines({ type }: PlanStep, args: Fields | undefined): string[] {
  if (args === undefined) return [];
  return formatValueLines(pickOwnArguments(type, args)).map((line) => INDENT + line);
}
