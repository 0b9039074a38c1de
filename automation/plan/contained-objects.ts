/** Objects that a plan concerns without being resources of their own: members of lists that their parents own (`exclusive: true`), and what is deleted with an object although no file declares it. */
import type { PermittedRemoval } from "../../provider/adapters/permitted-operations.js";
import {
  type Definition,
  definitions,
  type Fields,
  findDefinition,
  getDefinition,
  type ListedChange,
  ListReader,
  type ManagedObject,
  openReadOnlySession,
  type Searched,
} from "../../provider/index.js";
import { buildNameIn, LogicalName } from "../../resources/definition/logical-name.js";
import { listKindsUnder } from "../../resources/definition/placement.js";
import { describeReading } from "../connection/api-client.js";
import type { EngineStack } from "../stack/engine-stack.js";
import type { OpenStack } from "../stack/open-stack.js";
import { compareByName } from "../urn.js";
import type { PlannedObject } from "./planned-objects.js";
import type { PlanStep } from "./record-plan.js";

/** Reads the changes to the list that an object owns. */
type Lists = (object: PlannedObject) => Promise<readonly ListedChange[]>;

/** The objects of a plan, and the operations on them. */
export interface PlanWithLists {
  readonly objects: readonly PlannedObject[];
  readonly steps: readonly PlanStep[];
}

interface PlanWithRemovals extends PlanWithLists {
  /** What updates remove from lists. */
  readonly removals: readonly PermittedRemoval[];
}

/** Adds list members to a plan; reads only lists that change. @param adopts existing objects are adopted */
export async function withListed(
  plan: PlanWithLists,
  { connection, io, stack }: Pick<OpenStack, "connection" | "io"> & { stack: Pick<EngineStack, "reads"> },
  adopts: boolean,
): Promise<PlanWithRemovals> {
  const reader = new ListReader(connection, { ...describeReading(io), reads: stack.reads });
  try {
    return await addListed(plan, ({ type, operation, before, after }) => {
      const definition = getDefinition(type);
      return reader.changes({
        operation,
        definition,
        adopts,
        ...(before ? { before } : {}),
        ...(after ? { after } : {}),
      });
    });
  } finally {
    await reader.close();
  }
}

export async function addListed({ objects, steps }: PlanWithLists, lists: Lists): Promise<PlanWithRemovals> {
  const added: PlannedObject[] = [];
  const removals: PermittedRemoval[] = [];
  const parents = definitions.filter((one) => "owns" in one).map(({ type }) => type);
  for (const object of objects.filter(({ type }) => parents.includes(type)))
    for (const change of await lists(object)) {
      added.push(toPlannedObject(object, change, objects));
      const { identity, removedFrom = [] } = change;
      removals.push(...removedFrom.map((list) => ({ list, identity })));
    }
  const whole = added.length === 0 ? { objects, steps } : mergeAdded({ objects, steps }, added);
  return { ...whole, removals };
}

/** Lists what a completed step did, including the members that left its list. */
export function listDoneWith(step: PlanStep, planned: readonly PlanStep[]): PlanStep[] {
  const isDeleted = planned.some(
    ({ operation, type, name }) => operation === "delete" && type === step.type && name === step.name,
  );
  const own: PlanStep = step.operation === "release" && isDeleted ? { ...step, operation: "delete" } : step;
  return [own, ...planned.filter(({ within }) => within === step.name)];
}

function toPlannedObject(
  { name: within }: PlannedObject,
  { type, state, operation }: ListedChange,
  objects: readonly PlannedObject[],
): PlannedObject {
  const definition = getDefinition(type);
  const name = buildNameIn(within, definition.document?.section ?? "", getKey(definition, state, objects));
  return {
    operation,
    type,
    name,
    before: state,
    within,
    ...(operation === "delete" ? {} : { after: state }),
  };
}

/** The key it would have in the file, because a name says more than an id. */
function getKey({ document, references }: Definition, at: Fields, objects: readonly PlannedObject[]): string {
  const arg = document?.keyedBy ?? "";
  const reference = references[arg];
  const target = findDefinition(reference?.to);
  const found = objects.find(
    ({ type, before }) =>
      type === target?.type && before?.[target.identity.state] === at[reference?.idOutput ?? ""],
  );
  return String(found?.before?.[target?.document?.keyedBy ?? ""] ?? at[arg]);
}

/** Merges list members with resources of their own: an object that changes owner is not listed twice. */
function mergeAdded({ objects, steps }: PlanWithLists, added: readonly PlannedObject[]): PlanWithLists {
  const own = new Map(objects.map((object) => [buildNumbersKey(object), object]));
  const gone = added.filter(({ operation }) => operation === "delete");
  const twins = new Set(gone.map((one) => findName(own.get(buildNumbersKey(one)))));
  const asGone = <T extends PlannedObject | PlanStep>(one: T): T =>
    twins.has(findName(one)) ? { ...one, operation: "delete" } : one;
  const alone = added.filter((one) => !own.has(buildNumbersKey(one)));
  const more = alone.filter(({ operation }) => operation === "delete").map(toPlanStep);
  return {
    objects: [...objects.map(asGone), ...alone],
    steps: [...steps.map(asGone), ...more].toSorted(compareByName),
  };
}

const findName = (one: PlannedObject | PlanStep | undefined) => one && `${one.type} ${one.name}`;

/** Identifies an object of one type by its ids at the service. */
function buildNumbersKey({ type, name, before }: PlannedObject): string {
  const { id = [] } = findDefinition(type) ?? {};
  return before === undefined || id.length === 0
    ? `new ${name}`
    : JSON.stringify([type, ...id.map((part) => before[part])]);
}

function toPlanStep({ type, name, within }: PlannedObject): PlanStep {
  return {
    operation: "delete",
    type,
    name,
    ...(within === undefined ? {} : { within }),
    changes: [],
    replacedFor: [],
    reasons: [],
  };
}

/** An unmanaged object in an object that a plan deletes or replaces. What it contains is not read. */
export interface UnmanagedContent {
  readonly type: string;
  /** Logical name that it would have in the file. */
  readonly name: string;
  /** Logical name of the object that contains it. */
  readonly within: string;
}

interface UnmanagedContents {
  readonly contents: readonly UnmanagedContent[];
  /** Says which lists could not be read. */
  readonly notes: readonly string[];
}

const none: UnmanagedContents = { contents: [], notes: [] };

/** Reads only the lists of the objects that are deleted or replaced. A refresh has read most of them. */
export async function findContents(
  objects: readonly PlannedObject[],
  open: Pick<OpenStack, "connection" | "io"> & { stack: Pick<EngineStack, "reads" | "renames"> },
): Promise<UnmanagedContents> {
  const deleted = objects.filter(
    ({ operation, within }) => (operation === "delete" || operation === "replace") && within === undefined,
  );
  const emptied = new Set(
    listManagedIn(deleted.filter(({ type }) => listContents(type).length > 0)).map(getNameOf),
  );
  if (emptied.size === 0) return none;
  const { connection, io, stack } = open;
  const look = openReadOnlySession(connection, { ...describeReading(io), reads: stack.reads });
  try {
    const searched = await look.findUnmanaged({
      managed: listManagedIn(objects.filter(({ operation }) => operation !== "adopt")),
      named: [],
      includes: (type, parent) => listContents(parent).includes(type),
      reads: (list) => emptied.has(new LogicalName(list).section),
      renames: stack.renames,
    });
    return {
      contents: searched.found.map(describeContent).toSorted(compareByName),
      notes: listNotes(searched),
    };
  } finally {
    await look.close();
  }
}

/** The types that objects of a type contain, without what is part of people's daily work. */
function listContents(type: string): string[] {
  return listKindsUnder(definitions, type)
    .filter(({ document }) => document.transient !== true)
    .map((kind) => kind.type);
}

/** The objects that exist, in the form that the search expects. */
function listManagedIn(objects: readonly PlannedObject[]): ManagedObject[] {
  return objects.flatMap(({ type, name, before }) => {
    const { identity } = findDefinition(type) ?? {};
    const id = before?.[identity?.state ?? ""];
    if (before === undefined || (typeof id !== "string" && typeof id !== "number")) return [];
    return [{ type, name, id: encodeURIComponent(id), outputs: before }];
  });
}

const getNameOf = ({ name }: ManagedObject) => name;

function describeContent({ type, section, key, parent = "" }: Searched["found"][number]): UnmanagedContent {
  return { type, name: buildNameIn(parent, section, key), within: parent };
}

function listNotes({ unlisted }: Searched): string[] {
  return unlisted.map(
    ({ type, parent = "", reason }) =>
      `${parent} would be deleted, and whether it contains more than the file declares is unknown: ${type} cannot be read (${reason})`,
  );
}
