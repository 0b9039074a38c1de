/** Objects that a plan deletes although others still use them, and twins of the objects that a run has created. */
import { parseLogicalName } from "../../components/urn.js";
import { findTwins, findUsers, getDefinition, listUsers, mayHaveTwin } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { describeReading } from "../connection/api-client.js";
import { AutomationError } from "../errors.js";
import type { EngineStack } from "../stack/engine-stack.js";
import type { OpenStack } from "../stack/open-stack.js";
import { findDefinitionAt } from "../urn.js";
import type { PlannedObject } from "./planned-objects.js";
import type { PlanStep } from "./record-plan.js";

/** An object that a plan deletes, and what still uses it. */
export interface UsedObject {
  readonly name: string;
  readonly by: readonly string[];
}

/** Reads only if the plan deletes an object of a type that others use. */
export async function findUsedObjects(
  objects: readonly PlannedObject[],
  { connection, io, stack }: Pick<OpenStack, "connection" | "io"> & { stack: Pick<EngineStack, "reads"> },
): Promise<UsedObject[]> {
  const used: UsedObject[] = [];
  const options = { ...describeReading(io), reads: stack.reads };
  for (const { operation, type, name, before } of objects) {
    if (operation !== "delete" || before === undefined || listUsers(type).length === 0) continue;
    const uses = await findUsers(connection, { definition: getDefinition(type), state: before }, options);
    const by = uses
      .filter((use) => !objects.some((one) => endsUse(one, use)))
      .map(
        ({ definition, state, called }) =>
          `${String(state["project"])}/${definition.document?.section}/${called}`,
      );
    if (by.length > 0) used.push({ name, by: by.toSorted() });
  }
  return used;
}

/** Whether the plan deletes the user of an object, or what contains it, or changes what it uses. */
function endsUse(
  { operation, type, before, after }: PlannedObject,
  { definition, arg, state }: Awaited<ReturnType<typeof findUsers>>[number],
): boolean {
  if (before === undefined || operation === "same" || operation === "release") return false;
  const own = type === definition.type;
  const isIn = Object.entries(definition.references).some(
    ([parent, { to, property }]) =>
      to === type && property !== undefined && before[property] === state[parent],
  );
  if (isIn && !own)
    return (
      operation === "delete" ||
      operation === "replace" ||
      ownsListOf(definition.document?.exclusiveWhen, before, after)
    );
  const { identity, references } = definition;
  const isSame =
    own &&
    before[identity.state] === state[identity.state] &&
    Object.entries(references).every(
      ([parent, { property }]) => property === undefined || before[parent] === state[parent],
    );
  if (!isSame) return false;
  return operation !== "update" || before[arg] !== after?.[arg];
}

/** Whether an object owns the list after the plan, so that it contains only what is declared. */
function ownsListOf(
  exclusiveWhen: string | undefined,
  before: PlannedObject["before"],
  after: PlannedObject["after"],
): boolean {
  return exclusiveWhen !== undefined && (before?.[exclusiveWhen] === true || after?.[exclusiveWhen] === true);
}

/**
 * Reads the lists of the objects that a run has created once more.
 * @throws {AutomationError} when another run has created an object of the same name at the same moment
 */
export async function refuseTwins(open: OpenStack, steps: readonly PlanStep[]): Promise<void> {
  const created = new Set(
    steps.filter(({ operation }) => operation === "create").map(({ type, name }) => `${type} ${name}`),
  );
  const names = new Set(steps.filter(({ operation }) => operation === "create").map(({ name }) => name));
  if (created.size === 0) return;
  const { resources = [] } = await open.state();
  const objects = resources.flatMap(({ urn, type, outputs }) => {
    const definition = findDefinitionAt({ type });
    const name = parseLogicalName(urn);
    if (definition === undefined || outputs === undefined) return [];
    // Nobody else knows an object whose parent is new.
    const isInNew = new LogicalName(name).ancestors.some((parent) => names.has(parent));
    const object = { definition, state: outputs };
    return created.has(`${definition.type} ${name}`) && !isInNew && mayHaveTwin(object) ? [object] : [];
  });
  const twins = await findTwins(open.connection, objects, describeReading(open.io));
  if (twins.length === 0) return;
  const texts = twins.map(
    ({ called, id, others }) => `${called} (${id}) exists again as ${others.join(", ")}`,
  );
  throw new AutomationError(
    `everything was applied, but another run has created the same objects at the same moment, so they exist twice: ${texts.join("; ")}`,
    "in the service, delete the one that nothing uses. If the other stack declares it too, remove it from one of the two files, with retain: true",
  );
}
