/** Finds objects of a plan whose names already exist at the service: those it adopts, and those on which it would fail. */
import {
  findDefinition,
  findExistingObjects,
  type Definition,
  type ExistingObject,
  type ExpectedObject,
} from "../../../provider/index.js";
import { Ref, type LoadedFile } from "../../../workspace-file/load/index.js";
import { openJournalOf } from "../stack/state-journal.js";
import type { OpenStack } from "../stack/open-stack.js";
import { createChangeAt, listChangesBetween, type PropertyChange } from "./property-changes.js";
import { Phrase } from "../../terminal/shown-change.js";
import type { PlannedObject } from "./planned-objects.js";
import type { PlanWithLists } from "./exclusive-members.js";
import type { PlanStep } from "./record-plan.js";

/** An object to be created or renamed whose choose another object already has. */
export interface NameConflict {
  readonly type: string;
  /** Logical name of the planned object. */
  readonly name: string;
  /** The existing object: `group "QA" (12)`. */
  readonly what: string;
  readonly htmlUrl?: string;
  /** Logical name under which the same stack manages the existing object. */
  readonly managedAs?: string;
  /** `adopt: true` would adopt the existing object. */
  readonly adoptable: boolean;
}

export interface PlanWithExisting extends PlanWithLists {
  readonly taken: readonly NameConflict[];
}

/** Looks up existing objects. Whatever cannot be read is left to `up`. */
export async function withExisting(
  plan: PlanWithLists,
  { connection, location, cli, file, io, stack }: OpenStack,
): Promise<PlanWithExisting> {
  const expected = listExpectedObjects(plan.objects, file.declared);
  const journal = await openJournalOf(location, cli.env);
  const world = { connection, journal, env: io.env, reads: stack.reads };
  const found = await findExistingObjects(world, expected);
  const adopted = new Map(found.filter((one) => one.adopted).map((one) => [one.name, one]));
  const taken = found.filter((one) => !one.adopted).map((one) => toNameConflict(one, plan.objects));
  return {
    objects: plan.objects.map((object) => asAdopted(object, adopted)),
    steps: plan.steps.map((step) => asAdoption(step, plan.objects, adopted)),
    taken,
  };
}

function listExpectedObjects(
  objects: readonly PlannedObject[],
  declared: LoadedFile | undefined,
): ExpectedObject[] {
  const args = new Map(declared?.declarations.map((one) => [one.name, one.args]));
  return objects.flatMap((object): ExpectedObject[] => {
    const definition = findDefinition(object.type);
    // A member of an exclusively owned list is not an object of its own.
    if (definition === undefined || object.within !== undefined) return [];
    const refersTo = (arg: string) => {
      const value = args.get(object.name)?.[arg];
      return value instanceof Ref ? value.name : undefined;
    };
    return [{ ...object, definition, refersTo }];
  });
}

function asAdopted(object: PlannedObject, adopted: ReadonlyMap<string, ExistingObject>): PlannedObject {
  const found = object.operation === "create" ? adopted.get(object.name) : undefined;
  return found === undefined ? object : { ...object, operation: "adopt", before: found.before };
}

function asAdoption(
  step: PlanStep,
  objects: readonly PlannedObject[],
  adopted: ReadonlyMap<string, ExistingObject>,
): PlanStep {
  const found = step.operation === "create" ? adopted.get(step.name) : undefined;
  if (found === undefined) return step;
  const after = objects.find(({ name }) => name === step.name)?.after ?? {};
  return { ...step, operation: "adopt", changes: listChanges(found, after) };
}

/** Lists what an adoption changes; for write-only values, only that they are sent. */
function listChanges(
  { before, sends }: ExistingObject,
  after: NonNullable<PlannedObject["after"]>,
): PropertyChange[] {
  return sends.flatMap((path) => {
    const changes = listChangesBetween({ [path]: before[path] }, { [path]: after[path] });
    if (changes.length > 0 && before[path] !== undefined) return changes;
    return [createChangeAt([path], NOT_SHOWN, after[path])];
  });
}

const NOT_SHOWN = new Phrase("(not shown)");

function toNameConflict(
  { name, called, ids, htmlUrl, adoptable }: ExistingObject,
  objects: readonly PlannedObject[],
): NameConflict {
  const { type } = objects.find((object) => object.name === name)!;
  const definition = findDefinition(type) as Definition;
  const managed = objects.find(
    (other) =>
      other.type === type &&
      other.name !== name &&
      other.before !== undefined &&
      ids.includes(String(other.before[definition.identity.state])),
  );
  return {
    type,
    name,
    what: `${called} (${ids.join(", ")})`,
    ...(htmlUrl === undefined ? {} : { htmlUrl }),
    ...(managed === undefined ? {} : { managedAs: managed.name }),
    adoptable: adoptable && managed === undefined,
  };
}
