/** Objects of a plan whose names are taken at the service: those that it takes over, and those on which it would fail. */
import {
  definitions,
  findExistingObjects,
  type Definition,
  type ExistingObject,
  type ExpectedObject,
} from "../../../provider/index.js";
import { Ref, type Declared } from "../../../workspace-file/load/index.js";
import type { OpenStack } from "../stack/open.js";
import { changesBetween, show, type Change } from "./changes.js";
import type { PlannedObject } from "./objects.js";
import type { Step } from "./steps.js";

/** An object that a plan would make, or rename, and whose name another one has. */
export interface Taken {
  readonly type: string;
  /** Logical name of what the plan would make. */
  readonly name: string;
  /** What has the name: `group "QA" (12)`. */
  readonly what: string;
  readonly htmlUrl?: string;
  /** Logical name under which this very stack manages it. */
  readonly managedAs?: string;
  /** `adopt: true` would take it over. */
  readonly adoptable: boolean;
}

export interface WithExisting {
  readonly objects: readonly PlannedObject[];
  readonly steps: readonly Step[];
  readonly taken: readonly Taken[];
}

interface Plan {
  readonly objects: readonly PlannedObject[];
  readonly steps: readonly Step[];
}

/** Looks for what is there already; what cannot be read is found out by `up`. */
export async function withExisting(
  plan: Plan,
  { connection, project, file, io }: Pick<OpenStack, "connection" | "project" | "file" | "io">,
): Promise<WithExisting> {
  const expected = expectedOf(plan.objects, file.declared);
  const world = { connection, project: project.name, env: io.env };
  const found = await findExistingObjects(world, expected);
  const adopted = new Map(found.filter((one) => one.adopted).map((one) => [one.name, one]));
  const taken = found.filter((one) => !one.adopted).map((one) => takenOf(one, plan.objects));
  return {
    objects: plan.objects.map((object) => asAdopted(object, adopted)),
    steps: plan.steps.map((step) => asAdoption(step, plan.objects, adopted)),
    taken,
  };
}

function expectedOf(objects: readonly PlannedObject[], declared: Declared | undefined): ExpectedObject[] {
  const args = new Map(declared?.declarations.map((one) => [one.name, one.args]));
  return objects.flatMap((object): ExpectedObject[] => {
    const definition = definitions.find(({ type }) => type === object.type);
    // Who stands in a list that another one holds is no object of the plan's own.
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
  step: Step,
  objects: readonly PlannedObject[],
  adopted: ReadonlyMap<string, ExistingObject>,
): Step {
  const found = step.operation === "create" ? adopted.get(step.name) : undefined;
  if (found === undefined) return step;
  const after = objects.find(({ name }) => name === step.name)?.after ?? {};
  return { ...step, operation: "adopt", changes: changesOf(found, after) };
}

/** What an adoption brings: of values that the service does not show, only that they are sent. */
function changesOf({ before, sends }: ExistingObject, after: NonNullable<PlannedObject["after"]>): Change[] {
  return sends.flatMap((path) => {
    const changes = changesBetween({ [path]: before[path] }, { [path]: after[path] });
    if (changes.length > 0 && before[path] !== undefined) return changes;
    return [{ path, before: NOT_SHOWN, after: show(after[path]) }];
  });
}

const NOT_SHOWN = "(not shown)";

function takenOf(
  { name, called, ids, htmlUrl, adoptable }: ExistingObject,
  objects: readonly PlannedObject[],
): Taken {
  const { type } = objects.find((object) => object.name === name)!;
  const definition = definitions.find((one) => one.type === type) as Definition;
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
