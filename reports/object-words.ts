/** Words for the objects of a plan. */
import { stripControls } from "../client/printable.js";
import { KNOWN_LATER, UNKNOWN } from "../diff/values.js";
import { type Definition, definitions, findDefinition } from "../provider/index.js";
import { LogicalName } from "../resources/definition/logical-name.js";
import { listKindsUnder } from "../resources/definition/placement.js";
import { formatFirst, groupBy } from "../text/lists.js";
import { isUnnamed, type TreeNode } from "./plan/plan-tree.js";

/** Maximum number of names in a row; objects to delete are always named. */
const NAMED = 20;
/** Maximum number of names next to a count. */
const FEW = 5;

/** The noun of a type, or the type itself for an object of another provider. @param owner the type of the object that contains it */
export function chooseNoun(type: string, count: number, owner?: string): string {
  const known = chooseWord(type);
  if (known === undefined) return type;
  // A project's "project member" is its member.
  const noun = owner === undefined ? known : known.replace(`${chooseWord(owner) ?? owner} `, "");
  return count === 1 ? noun : pluralize(noun);
}

const chooseWord = (type: string) => findDefinition(type)?.noun;

function pluralize(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(ch|s|sh|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Whether an object of a type contains a list whose order matters, or something that does. */
export function hasContents({ definition }: Pick<TreeNode, "definition">): boolean {
  if (definition === undefined) return false;
  return listKindsUnder(definitions, definition.type).some(
    (kind) => isInOrder(kind) || hasContents({ definition: kind }),
  );
}

export function isInOrder(definition: Definition | undefined): boolean {
  return definition?.document?.form === "list";
}

/** Counts objects by kind: `4 actions, 1 variable`. What only the engine has as an object is omitted, unless all are counted. */
export function formatNodeCount(
  nodes: readonly Pick<TreeNode, "type" | "definition">[],
  owner?: string,
  all: boolean = false,
): string {
  const own = nodes.filter((node) => all || !isUnnamed(node));
  return [...groupBy(own, ({ type }) => type)]
    .map(([type, of]) => `${of.length} ${chooseNoun(type, of.length, owner)}`)
    .join(", ");
}

/** `2 actions that no file declares (Audit, Notify)`; empty when nothing but what is declared is deleted with the objects. */
export function formatUnmanaged(nodes: readonly TreeNode[], all: boolean): string {
  const found = nodes.flatMap(({ contents }) => contents);
  if (found.length === 0) return "";
  const nodesOf = found.map(({ type }) => ({
    type,
    definition: findDefinition(type),
  }));
  const names = found.map(({ name }) => stripControls(new LogicalName(name).key));
  return `${formatNodeCount(nodesOf, nodes[0]?.type)} that no file declares (${formatFirst(names, all ? Infinity : FEW)})`;
}

/** @param all name them all, however many there are */
export function formatNames(names: readonly string[], all: boolean = false): string {
  return formatFirst(names, all ? Infinity : NAMED);
}

/** What a plan says next to the name of a new object. */
export function describeBriefly({ definition, args, step }: TreeNode): string | undefined {
  if (definition === undefined || args === undefined || step?.operation === "delete") return undefined;
  const { brief, runTimes } = definition;
  const said = brief
    ? brief(args)
    : isInOrder(definition)
      ? undefined
      : runTimes && (runTimes.of(args) ?? runTimes.otherwise);
  return said === undefined ? undefined : stripControls(said.replaceAll(UNKNOWN, KNOWN_LATER));
}

/** When a new object runs; empty for the usual moment. */
export function describeMoment({ definition, args, step }: TreeNode): string {
  if (definition?.runTimes === undefined || args === undefined || step?.operation !== "create") return "";
  const { of, usual, otherwise } = definition.runTimes;
  const moment = of(args) ?? otherwise;
  return moment === usual ? "" : stripControls(moment);
}

/** `1st`, `2nd`, `3rd`, `11th` */
export function formatOrdinal(number: number): string {
  const ending = new Intl.PluralRules("en", { type: "ordinal" }).select(number);
  return `${number}${{ one: "st", two: "nd", few: "rd" }[ending as string] ?? "th"}`;
}
