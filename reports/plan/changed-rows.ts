/** Rows of a plan for changed objects: the changes and arguments below a row, and one row for equal changes of many objects. */
import type { Operation } from "../../automation/plan/planned-objects.js";
import { pickOwnArguments, type PropertyChange } from "../../automation/plan/property-changes.js";
import type { PlanStep } from "../../automation/plan/record-plan.js";
import {
  findForcing,
  formatForced,
  listReasonsWithoutChange,
  type Reason,
} from "../../automation/plan/replacement-reasons.js";
import { stripControls } from "../../client/printable.js";
import type { Fields } from "../../provider/index.js";
import { groupBy } from "../../text/lists.js";
import { formatValueLines, showChange } from "../../text/shown-change.js";
import { colorChange, colorLines, fitsOneLine } from "../colored-change.js";
import type { Io } from "../io.js";
import { chooseNoun } from "../object-words.js";
import { type FileOrder, listContents, type TreeNode } from "./plan-tree.js";

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

/** Maximum number of names in the row. */
const NAMED = 3;
/** Minimum number of equal changes. */
const EQUAL = 5;

/** Returns the rows of equal changes, and the tree without them. */
export function groupEqualRows(
  tree: readonly TreeNode[],
  { colors }: RowOptions,
): { readonly rows: Row[]; readonly rest: TreeNode[] } {
  const changed = listContents({ children: [...tree] }).filter(({ step, drift }) => {
    const isChange = step?.operation === "update" || step?.operation === "adopt";
    return isChange && step.formerName === undefined && drift === undefined;
  });
  const equal = [...groupBy(changed, getKey).values()].filter(({ length }) => length >= EQUAL);
  const rows = equal.map((nodes): Row => {
    const steps = nodes.flatMap(({ step }) => step ?? []);
    const [step] = steps as [PlanStep];
    const parent = findCommonParent(steps);
    const names = steps.slice(0, NAMED).map(({ name }) => stripControls(name.slice(parent.length)));
    const where = parent === "" ? "" : ` in ${stripControls(parent.slice(0, -1))}`;
    const text = `${steps.length} ${chooseNoun(step.type, steps.length)}${where}: ${names.join(", ")} and ${steps.length - NAMED} more`;
    return {
      depth: 0,
      sign: step.operation,
      text,
      below: formatChangeLines(step.changes, colors, step),
      steps,
    };
  });
  const gone = new Set(equal.flat());
  const without = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.flatMap((node) => {
      const children = without(node.children);
      if (!gone.has(node)) {
        const isEmpty = node.step === undefined && node.drift === undefined && children.length === 0;
        return isEmpty ? [] : [{ ...node, children }];
      }
      const { step: _, ...rest } = node;
      return children.length === 0 ? [] : [{ ...rest, children }];
    });
  return { rows, rest: without(tree) };
}

function getKey({ type, step }: TreeNode): string {
  return JSON.stringify([type, step?.operation, step?.changes, step?.reasons]);
}

/** The path that the names of all steps begin with, with the slash after it. */
function findCommonParent(steps: readonly PlanStep[]): string {
  const paths = steps.map(({ name }) => name.split("/").slice(0, -1));
  const [first = []] = paths;
  const differing = first.findIndex((part, index) => paths.some((path) => path[index] !== part));
  const common = first.slice(0, differing < 0 ? first.length : differing);
  return common.length === 0 ? "" : `${common.join("/")}/`;
}
