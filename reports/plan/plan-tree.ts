/** Arranges what a plan does as a tree of the workspace, in the order of the file. */
import type { UnmanagedContent } from "../../automation/plan/contained-objects.js";
import { createChangeAt, fillUnknown, type PropertyChange } from "../../automation/plan/property-changes.js";
import type { Drift, PlanStep, RecordedPlan } from "../../automation/plan/record-plan.js";
import { buildShownKey, type ShownArgs } from "../../automation/plan/shown-arguments.js";
import { compareByName } from "../../automation/urn.js";
import { getValueAt } from "../../diff/structural-diff.js";
import { UNKNOWN } from "../../diff/values.js";
import { type Definition, definitions, type Fields, findDefinition } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { Ref } from "../../workspace-file/load/resolve-names.js";
import { getValue } from "../../workspace-file/syntax/tree.js";

/** An object of a plan, with the objects in it. An object without a step only contains others. */
export interface TreeNode {
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  /** Its name among its siblings; the logical name if that is no path in a file. */
  readonly key: string;
  /** Absent for an object of another provider. */
  readonly definition: Definition | undefined;
  step?: PlanStep;
  /** What was changed outside. */
  drift?: Drift;
  /** Arguments, for display: the new ones, or those of an object that is deleted. */
  args?: Fields | undefined;
  readonly children: TreeNode[];
  /** What no file declares in it, and is deleted with it. */
  readonly contents: UnmanagedContent[];
}

export interface ShownPlan
  extends Pick<RecordedPlan, "steps" | "drift">, Partial<Pick<RecordedPlan, "shown">> {
  readonly contents?: readonly UnmanagedContent[];
}

/** @param declared the file, for the order and for names of objects that are created */
export function planTree(
  { steps, drift, shown, contents = [] }: ShownPlan,
  declared?: LoadedFile,
): TreeNode[] {
  const roots: TreeNode[] = [];
  const nodes = new Map<string, TreeNode>();
  const written = new Map(declared?.declarations.map(({ name, args }) => [name, args]));
  const nodeOf = (type: string, name: string): TreeNode => {
    const known = nodes.get(`${type} ${name}`);
    if (known !== undefined) return known;
    const owners = findOwners(type, name);
    const key = owners === undefined ? name : new LogicalName(name).key;
    const definition = findDefinition(type);
    const node: TreeNode = { type, name, key, definition, children: [], contents: [] };
    nodes.set(`${type} ${name}`, node);
    const owner = owners?.at(-1);
    (owner === undefined ? roots : nodeOf(owner.type, owner.name).children).push(node);
    return node;
  };
  for (const step of steps) {
    const node = nodeOf(step.type, step.name);
    const { before, after } = shown?.get(buildShownKey(step)) ?? {};
    const args = written.get(step.name);
    // Of what only the engine has as an object, whole lists say more than their items.
    const changes = isUnnamed(node) ? listWholeChanges(step, { before, after }) : step.changes;
    node.step = {
      ...step,
      changes: changes.map((change) => ({
        ...change,
        after: withReferences(change.after, getValueAt(args, change.parts), " (new)"),
      })),
    };
    node.args = withReferences(after ?? before, args) as Fields | undefined;
  }
  for (const one of contents) {
    const step = steps.find(({ name, type }) => name === one.within && contains(type, one.type));
    if (step !== undefined) nodeOf(step.type, step.name).contents.push(one);
  }
  for (const one of drift) nodeOf(one.type, one.name).drift = one;
  sortTree(roots, createFileOrder(declared));
  return roots;
}

function contains(type: string, content: string): boolean {
  return listKindsUnder(definitions, type).some((kind) => kind.type === content);
}

function listWholeChanges(
  { changes }: PlanStep,
  { before, after }: Pick<ShownArgs, "before" | "after">,
): PropertyChange[] {
  const names = [...new Set(changes.map(({ parts }) => String(parts[0])))];
  return names.map((name) => createChangeAt([name], before?.[name], after?.[name]));
}

interface Owner {
  readonly type: string;
  readonly name: string;
}

/** Returns the objects that contain an object, the outermost first; undefined when its name is no path in a file. */
function findOwners(type: string, name: string): Owner[] | undefined {
  const parts = name.split("/");
  const owners: Owner[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = listKindsUnder(definitions, owners.at(-1)?.type ?? WORKSPACE).find(
      ({ document }) => document.section === parts[at],
    );
    if (kind === undefined) return undefined;
    owners.push({ type: kind.type, name: parts.slice(0, at + 2).join("/") });
  }
  if (parts.length % 2 === 0) return owners.at(-1)?.type === type ? owners.slice(0, -1) : undefined;
  // What only the engine has as an object is named after its owner.
  return findDefinition(type)?.document === undefined ? owners : undefined;
}

/** The position of each declared object and of each section in the file. */
export type FileOrder = ReadonlyMap<string, number>;

export function createFileOrder(declared: LoadedFile | undefined): FileOrder {
  const order = new Map<string, number>();
  if (declared === undefined) return order;
  const positions = new Map<string, number>();
  const visit = (value: unknown, path: readonly (string | number)[]) => {
    positions.set(path.join("\n"), positions.size);
    if (Array.isArray(value)) value.forEach((item, at) => visit(item, [...path, at]));
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(getValue(declared.tree), []);
  const positionOf = (path: readonly unknown[]) => positions.get(path.join("\n")) ?? Number.MAX_SAFE_INTEGER;
  const sorted = declared.declarations.toSorted((a, b) => positionOf(a.path) - positionOf(b.path));
  for (const { name } of sorted) {
    const section = getListName(name);
    if (!order.has(section)) order.set(section, order.size);
    order.set(name, order.size);
  }
  return order;
}

/** The list that contains an object. */
export function getListName(name: string): string {
  return new LogicalName(name).section;
}

function sortTree(nodes: TreeNode[], order: FileOrder): void {
  const types = definitions.map(({ type }) => type);
  const ranks = (node: TreeNode) => [
    // What only the engine has as an object comes last.
    isUnnamed(node) ? 1 : 0,
    order.get(getListName(node.name)) ?? Infinity,
    types.indexOf(node.type),
    order.get(node.name) ?? Infinity,
  ];
  nodes.sort((a, b) => {
    const [one, other] = [ranks(a), ranks(b)];
    const at = one.findIndex((rank, index) => rank !== other[index]);
    return at < 0 ? compareByName(a, b) : one[at]! < other[at]! ? -1 : 1;
  });
  for (const { children } of nodes) sortTree(children, order);
}

/** Replaces values that are known later by the names of what the file refers to. @param mark follows such a name */
function withReferences(value: unknown, written: unknown, mark: string = ""): unknown {
  return fillUnknown(value, written, (given) =>
    given instanceof Ref ? `${new LogicalName(given.name).key}${mark}` : UNKNOWN,
  );
}

/** Whether only the engine has it as an object. */
export function isUnnamed({ definition }: Pick<TreeNode, "definition">): boolean {
  return definition !== undefined && definition.document === undefined;
}

/** Lists the objects in an object, at any depth. */
export function listContents({ children }: Pick<TreeNode, "children">): TreeNode[] {
  return children.flatMap((child) => [child, ...listContents(child)]);
}

/** The operations on objects and on what they contain. */
export function listStepsIn(nodes: readonly TreeNode[]): PlanStep[] {
  return listContents({ children: [...nodes] }).flatMap(({ step }) => step ?? []);
}
