/** Adds members of exclusively owned lists (`exclusive: true`) to a plan. A member that leaves the list is deleted. */
import { compareByName } from "../urn.js";
import {
  getDefinition,
  definitions,
  findDefinition,
  ListReader,
  openRequestCounter,
  type Definition,
  type Fields,
  type ListedChange,
} from "../../../provider/index.js";
import { buildNameIn } from "../../../provider/definition/logical-name.js";
import type { EngineStack } from "../stack/engine-stack.js";
import type { OpenStack } from "../stack/open-stack.js";
import type { PlannedObject } from "./planned-objects.js";
import type { PlanStep } from "./record-plan.js";

/** Reads the changes to the list that an object owns. */
type Lists = (object: PlannedObject) => Promise<readonly ListedChange[]>;

/** The objects of a plan, and the operations on them. */
export interface PlanWithLists {
  readonly objects: readonly PlannedObject[];
  readonly steps: readonly PlanStep[];
}

/** Adds list members to a plan; reads only lists that change. @param adopts existing objects are adopted */
export async function withListed(
  plan: PlanWithLists,
  { connection, io, stack }: Pick<OpenStack, "connection" | "io"> & { stack: Pick<EngineStack, "reads"> },
  adopts: boolean,
): Promise<PlanWithLists> {
  const reader = new ListReader(connection, {
    requestCounter: openRequestCounter(io.env),
    reads: stack.reads,
  });
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

export async function addListed({ objects, steps }: PlanWithLists, lists: Lists): Promise<PlanWithLists> {
  const added: PlannedObject[] = [];
  const parents = definitions.filter((one) => "owns" in one).map(({ type }) => type);
  for (const object of objects.filter(({ type }) => parents.includes(type)))
    for (const change of await lists(object)) added.push(toPlannedObject(object, change, objects));
  return added.length === 0 ? { objects, steps } : mergeAdded({ objects, steps }, added);
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
