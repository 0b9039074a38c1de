/** Finds equal changes of many objects, which share one row of a long plan. */
import { stripControls } from "../../../client/printable.js";
import { groupBy } from "../../lists.js";
import type { PlanStep } from "../../engine/plan/record-plan.js";
import { formatChangeLines, type Row, type RowOptions } from "./changed-rows.js";
import { chooseNoun } from "./object-words.js";
import { listContents, type TreeNode } from "./tree.js";

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
