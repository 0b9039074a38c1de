/** Renames in a plan: those made outside, which it follows, those that the file probably means, and those that the service cannot make. */
import { stringify } from "yaml";
import { hasUnknown, isSameJson } from "../../diff/values.js";
import { type Fields, findDefinition, readRequestCounter, type Rename } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { suggestOr } from "../../resources/definition/problems.js";
import { formatFirst, groupBy } from "../../text/lists.js";
import type { Location } from "../../workspace-file/index.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import type { ResourceDeclaration } from "../../workspace-file/load/resource-declaration.js";
import { formatNextCommand } from "../next-command.js";
import { note, type Port } from "../port.js";
import type { OpenStack } from "../stack/open-stack.js";
import type { PlannedObject } from "./planned-objects.js";
import { pickOwnArguments } from "./property-changes.js";

/**
 * Runs an operation that reads the workspace. When it recognizes a new name, it runs once more with that name, which is then an argument
 * that differs like any other. Later operations on the stack use the name too.
 * @param undo reverts the changes that the operation made to the state before it recognized the name
 */
export async function followRenames<T>(
  open: OpenStack,
  io: Port,
  operation: () => Promise<T>,
  undo: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  for (;;) {
    const ended = await operation().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const { stack } = open;
    const found = readRequestCounter(open.requestCounter).renames.filter(
      ({ from }) => !stack.renames.some((one) => one.from === from),
    );
    if (found.length === 0) {
      if ("error" in ended) throw ended.error;
      return ended.value;
    }
    await undo();
    for (const rename of found) note(io, formatRename(rename, open));
    stack.renames = [...stack.renames, ...found];
  }
}

function formatRename({ from, to }: Rename, { file, named }: Pick<OpenStack, "file" | "named">): string {
  const isDeclared = file.declared?.declarations.some(
    ({ definition, args }) =>
      definition.protect !== undefined && definition.naturalKey.every((arg) => args[arg] === to),
  );
  if (isDeclared)
    return `Project "${from}" has its declared name "${to}" already; everything in it is followed there.`;
  const keep = file.declared
    ? `write "name: ${to}" in its entry (or the key ${to} with "previously: [${from}]"), or run "${formatNextCommand(["drift", "accept"], named)}"`
    : `change its name in the program to "${to}"`;
  return (
    `Project "${from}" was renamed to "${to}" outside of Pulumi; everything in it is followed there. ` +
    `"${formatNextCommand(["up"], named)}" restores its declared name; to keep the new one, ${keep}.`
  );
}

/** A created object that looks like a deleted one. */
export interface PossibleRename {
  readonly type: string;
  /** Logical name of the object that is created. */
  readonly name: string;
  /** Logical name of the object that is deleted. */
  readonly former: string;
  /** The line that renames it instead. */
  readonly write: string;
  /** The entry to write it in. */
  readonly place: Location;
}

/** Finds objects that the file has under another key only, and the line to write for each. */
export function findPossibleRenames(
  objects: readonly PlannedObject[],
  declared: Pick<LoadedFile, "declarations" | "locate"> | undefined,
): PossibleRename[] {
  if (declared === undefined) return [];
  const declarations = new Map(declared.declarations.map((one) => [one.name, one]));
  return findEqualPairs(objects).flatMap(([{ type, name }, { name: former }]) => {
    const path = declarations.get(name)?.path;
    if (path === undefined) return [];
    const write = `previously: ${stringify([new LogicalName(former).key], IN_FLOW).trim()}`;
    return [{ type, name, former, write, place: declared.locate(path, true) }];
  });
}

export function renameHint({ name, former, write, place: { file, line } }: PossibleRename): string {
  return `${name} looks like ${former}, which is deleted. If it was renamed, write "${write}" in its entry (${file}:${line}).`;
}

const IN_FLOW = { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 } as const;

type Pair = readonly [created: PlannedObject, deleted: PlannedObject];

/** Pairs created and deleted objects of one list that differ in their key alone. An ambiguous pair is omitted. */
export function findEqualPairs(objects: readonly PlannedObject[]): Pair[] {
  const own = objects.filter(({ within }) => within === undefined);
  const deleted = groupBy(
    own.filter(({ operation }) => operation === "delete"),
    nameList,
  );
  const pairs = own
    .filter(({ operation, type }) => operation === "create" && takesPreviously(type))
    .flatMap((one) =>
      (deleted.get(nameList(one)) ?? [])
        .filter((other) => hasSameArguments(one, other, true) && hasSameContents(one, other, own))
        .map((other): Pair => [one, other]),
    );
  const isAlone = (one: PlannedObject, side: 0 | 1) =>
    pairs.filter((pair) => pair[side] === one).length === 1;
  return pairs.filter(([one, other]) => isAlone(one, 0) && isAlone(other, 1));
}

/** An item of a plain list of keys has no place for `previously`. */
function takesPreviously(type: string): boolean {
  const document = findDefinition(type)?.document;
  return document !== undefined && document.form !== "keys";
}

function hasSameContents(
  one: PlannedObject,
  other: PlannedObject,
  objects: readonly PlannedObject[],
): boolean {
  const [created, deleted] = [groupContents(one, objects), groupContents(other, objects)];
  if (created.size !== deleted.size) return false;
  return [...created].every(([name, child]) => {
    const twin = deleted.get(name);
    return twin?.type === child.type && hasSameArguments(child, twin, false);
  });
}

/** The objects in an object, by their names within it. */
function groupContents(
  { name }: PlannedObject,
  objects: readonly PlannedObject[],
): Map<string, PlannedObject> {
  const prefix = `${name}/`;
  const found = objects.filter((one) => one.name.startsWith(prefix));
  return new Map(found.map((one) => [one.name.slice(prefix.length), one]));
}

/**
 * Compares secrets by their masks: two are equal, because neither may be compared. References to objects that are created as well,
 * such as the actions of a new pipeline, have no ids to compare yet.
 */
function hasSameArguments(created: PlannedObject, deleted: PlannedObject, renamed: boolean): boolean {
  if (created.operation !== "create" || deleted.operation !== "delete") return false;
  const { inputs } = deleted;
  if (created.after === undefined || inputs === undefined) return false;
  const { type, after } = created;
  const { document, references = {} } = findDefinition(type) ?? {};
  const later = Object.keys(references).filter((name) => hasUnknown(after[name]) && name in inputs);
  const copied = later.flatMap((name) => Object.keys(references[name]?.copies ?? {}));
  const without = [...later, ...copied, ...(renamed && document ? [document.keyedBy] : [])];
  const nothing = Object.fromEntries(without.map((name) => [name, null]));
  const args = (all: Fields) => ({ ...pickOwnArguments(type, all), ...nothing });
  return isSameJson(args(after), args(inputs));
}

/** Identifies the list that the object is in. */
const nameList = ({ type, name }: PlannedObject) => `${type} ${new LogicalName(name).section}`;

/**
 * Says which objects are not moved: `previously` names keys of the same parent, and the service moves nothing from one parent to another.
 */
export function listNotMoved(
  objects: readonly PlannedObject[],
  declarations: readonly Pick<ResourceDeclaration, "name" | "formerNames">[],
): string[] {
  const created = new Set(objects.filter(({ operation }) => operation === "create").map(getName));
  const deleted = objects.filter(({ operation }) => operation === "delete");
  return declarations.flatMap(({ name, formerNames }) => {
    if (!created.has(name) || formerNames.length === 0) return [];
    const { type } = objects.find((one) => one.name === name)!;
    const formerKeys = formerNames
      .filter((former) => getSectionOf(former) === getSectionOf(name))
      .map(getKey);
    // Somebody may have written the whole path instead of the key.
    const other = deleted.find(
      (one) => one.type === type && formerKeys.some((key) => key === getKey(one.name) || key === one.name),
    );
    if (other === undefined) return describeUnknownFormer(name, type, formerKeys, deleted);
    return [
      `${name} is created and ${other.name} is deleted: \`previously\` renames an object within its parent, and the service moves ` +
        `nothing from one parent to another`,
    ];
  });
}

/** Nothing that the stack has is called like that, but something else in the same list is deleted. */
function describeUnknownFormer(
  name: string,
  type: string,
  formerKeys: readonly string[],
  deleted: readonly PlannedObject[],
): string[] {
  const [former] = formerKeys;
  const twins = deleted.filter((one) => one.type === type && getSectionOf(one.name) === getSectionOf(name));
  const [first] = twins;
  if (former === undefined || first === undefined) return [];
  const keys = twins.map((one) => getKey(one.name));
  const otherwise = `What is deleted: ${formatFirst(keys, MOST_NAMED)}`;
  return [
    `${name} is created, not renamed: the stack has nothing that \`previously: [${formerKeys.join(", ")}]\` names. ` +
      suggestOr(former, keys, otherwise),
  ];
}

/** Maximum number of deleted objects that are named. */
const MOST_NAMED = 5;

const getName = ({ name }: PlannedObject) => name;
const getKey = (name: string) => new LogicalName(name).key;
const getSectionOf = (name: string) => new LogicalName(name).section;
