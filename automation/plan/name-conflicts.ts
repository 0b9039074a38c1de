/** Finds objects of a plan whose names already exist at the service: those it adopts, and those on which it would fail, with possible causes and remedies. */
import { stripControls } from "../../client/printable.js";
import type { PermittedAdoption } from "../../provider/adapters/permitted-operations.js";
import {
  type ExistingObject,
  type ExpectedObject,
  findDefinition,
  findExistingObjects,
  REPLACED_REMEDY,
} from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { formatFirst } from "../../text/lists.js";
import { Phrase } from "../../text/shown-change.js";
import { type LoadedFile, Ref } from "../../workspace-file/load/load.js";
import { describeReading } from "../connection/api-client.js";
import { AutomationError } from "../errors.js";
import { formatNextCommand, type StackWords } from "../next-command.js";
import type { OpenStack } from "../stack/open-stack.js";
import { openJournalOf } from "../stack/state-journal.js";
import type { PlanWithLists } from "./contained-objects.js";
import type { PlannedObject } from "./planned-objects.js";
import { buildAdoptionKey, type PlannedAdoptions } from "./planned-writes.js";
import { createChangeAt, listChangesBetween, type PropertyChange } from "./property-changes.js";
import type { PlanStep } from "./record-plan.js";

/** An object to be created or renamed whose choose another object already has. */
export interface NameConflict {
  readonly type: string;
  /** Logical name of the planned object. */
  readonly name: string;
  /** The existing object: `group "QA" (12)`. */
  readonly what: string;
  readonly htmlUrl?: string;
  /** Logical name under which the same stack manages the existing object: another one's, or its own if the engine is to replace it. */
  readonly managedAs?: string;
  /** `adopt: true` would adopt the existing object. */
  readonly adoptable: boolean;
}

interface PlanWithExisting extends PlanWithLists {
  readonly taken: readonly NameConflict[];
  /** Which of its creations adopt, and which do not. */
  readonly adoptions: PlannedAdoptions;
}

/** Looks up existing objects. Whatever cannot be read is left to `up`. */
export async function withExisting(
  plan: PlanWithLists,
  { connection, location, cli, file, io, stack }: OpenStack,
): Promise<PlanWithExisting> {
  const expected = listExpectedObjects(plan.objects, file.declared);
  const journal = await openJournalOf(location, cli.env);
  const world = { connection, journal, options: { ...describeReading(io), reads: stack.reads } };
  const { found, absent } = await findExistingObjects(world, expected);
  const adopted = new Map(found.filter((one) => one.adopted).map((one) => [one.name, one]));
  const taken = found.filter((one) => !one.adopted).map((one) => toNameConflict(one, plan.objects));
  return {
    objects: plan.objects.map((object) => asAdopted(object, adopted)),
    steps: plan.steps.map((step) => asAdoption(step, plan.objects, adopted)),
    taken,
    adoptions: new Map([...adopted.values(), ...absent].map((one) => listAdoption(one, plan.objects))),
  };
}

function listAdoption(
  one: ExistingObject | string,
  objects: readonly PlannedObject[],
): [string, PermittedAdoption | null] {
  const name = typeof one === "string" ? one : one.name;
  const { type = "" } = objects.find((object) => object.name === name) ?? {};
  const key = buildAdoptionKey({ type, name });
  return [key, typeof one === "string" ? null : { id: one.id, sends: one.mayChange }];
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
  { name, called, ids, htmlUrl, managedAs, adoptable }: ExistingObject,
  objects: readonly PlannedObject[],
): NameConflict {
  const { type } = objects.find((object) => object.name === name)!;
  return {
    type,
    name,
    what:
      ids.length === 0
        ? `${called}, which the plan creates as ${managedAs ?? ""}`
        : `${called} (${ids.join(", ")})`,
    ...(htmlUrl === undefined ? {} : { htmlUrl }),
    ...(managedAs === undefined ? {} : { managedAs }),
    adoptable,
  };
}

/** The stack and workspace of the plan. */
export interface ConflictContext {
  readonly workspace: string;
  readonly stack: string;
  readonly objects: readonly PlannedObject[];
  /** The options that named the stack. */
  readonly named: StackWords;
  /** What is in the state, and was deleted outside. */
  readonly gone?: readonly string[];
}

/** Maximum number printed; data contains all. */
const NAMED = 12;

/** Lists possible causes with their remedies, the likeliest first. */
export function listRemediesFor(
  taken: readonly NameConflict[],
  { stack, objects, named, gone = [] }: ConflictContext,
  others: readonly string[],
): string[] {
  const isProgram = named.program !== undefined;
  const importing = formatNextCommand(["import"], named);
  const replaced = taken.filter(isReplacedItself);
  const managed = taken.filter((one) => one.managedAs !== undefined && !isReplacedItself(one));
  const again = taken.filter((one) => one.managedAs === undefined && gone.includes(one.name));
  const foreign = taken.filter((one) => one.managedAs === undefined && !again.includes(one));
  const isNew = objects.every(({ operation }) => operation === "create" || operation === "adopt");
  const list = others.length === 0 ? "" : ` (existing stacks: ${others.join(", ")})`;
  const wrong = isNew
    ? `Is ${stack} the right stack? It is empty: if another stack manages these objects, select it with --stack${list}, and check PULUMI_BACKEND_URL`
    : `Does another stack or file manage these? Then ${isProgram ? "do not declare them here, and refer to them by name" : "declare them as external: true here"}${list === "" ? "" : `; other stacks: ${others.join(", ")}`}`;
  return [
    ...(replaced.length === 0 ? [] : [REPLACED_REMEDY]),
    ...managed.map(({ name, managedAs = "" }) =>
      objects.find((one) => one.name === managedAs)?.operation === "create"
        ? `${managedAs} and ${name} are one object for the service: remove one of them, or give it another name`
        : isRenamed(objects.find((one) => one.name === managedAs))
          ? `${managedAs} of this stack has the name of ${name} until this plan renames it. Rename them one after the other: ` +
            (isProgram
              ? `in the program, give ${managedAs} a name that nothing has and ${name} its former one, and run "up"; then rename ${name} and run "up"; then ${managedAs}`
              : `give ${managedAs} a name that nothing has (name: ...) and run "up", then rename ${name} with "up --only ${name}", then ${managedAs}`)
          : `${managedAs} of this stack already has the name of ${name}: ${isProgram ? "if it was renamed in the program, give it an alias with the old name there" : `if it was renamed in the file, write previously: [${getKey(managedAs)}] there`}`,
    ),
    ...(again.length === 0
      ? []
      : [
          `Deleted and created again by hand: ${stripControls(formatFirst(listNames(again), NAMED))}. ` +
            `To adopt ${again.length === 1 ? "it" : "them"} and keep what the ${isProgram ? "program" : "file"} says, write adopt: true there` +
            (isProgram
              ? ""
              : `; to keep what the workspace has, "${formatNextCommand(["drift", "accept", ...listNames(again).slice(0, NAMED)], named)}"`),
        ]),
    ...(foreign.length === 0
      ? []
      : [
          wrong,
          `Were they created by hand, or is the stack's state lost? "${importing}" puts them into the state, and changes nothing`,
          ...(foreign.some(({ adoptable }) => adoptable)
            ? [
                `To adopt single objects and update them to match the ${isProgram ? "program" : "file"}, write adopt: true there. If a run that was killed on another machine created them: "${formatNextCommand(["up", "--adopt-after-crash"], named)}"`,
              ]
            : []),
        ]),
    ...(replaced.length === taken.length
      ? []
      : [
          isProgram
            ? "Otherwise, choose other names"
            : "Otherwise, choose other names (name: ... keeps the key)",
        ]),
  ];
}

const listNames = (taken: readonly NameConflict[]) => taken.map(({ name }) => name);

/** The error with which `up` refuses. */
export function createNameConflictError(
  taken: readonly NameConflict[],
  remedies: readonly string[],
  where: ConflictContext,
): AutomationError {
  return new AutomationError(
    [
      `refused, nothing was changed: ${formatHeadline(taken, where)}:`,
      ...formatLines(taken).map((line) => `  ${line}`),
      ...remedies.map((remedy) => `  - ${remedy}`),
    ].join("\n"),
    remedies,
  );
}

export function formatHeadline(
  taken: readonly NameConflict[],
  { workspace, stack, objects }: Omit<ConflictContext, "named">,
): string {
  if (taken.some(isReplacedItself)) {
    const count = taken.filter(isReplacedItself).length;
    const [noun, its] = count === 1 ? ["object", "itself"] : ["objects", "themselves"];
    const rest = taken.filter((one) => !isReplacedItself(one));
    return (
      `Pulumi was asked to replace ${count} ${noun} of workspace ${workspace}, which cannot be created next to ${its}` +
      (rest.length === 0 ? "" : `; and ${formatHeadline(rest, { workspace, stack, objects })}`)
    );
  }
  const made = objects.filter(({ operation }) => operation === "create").length;
  const [exist, them, names] =
    taken.length === 1 ? ["exists", "it", "this name"] : ["exist", "them", "these names"];
  const what =
    taken.length > made ? `${taken.length} names` : `${taken.length} of the ${made} objects to create`;
  return `${what} already ${exist} in workspace ${workspace}, but stack ${stack} does not manage ${them} under ${names}`;
}

export function formatLines(taken: readonly NameConflict[]): string[] {
  const named = taken.slice(0, NAMED).map(({ name, what }) => stripControls(`${name}: ${what}`));
  return taken.length > NAMED ? [...named, `and ${taken.length - NAMED} more`] : named;
}

/** Whether the engine is to create an object before it deletes the one that has its name. */
const isReplacedItself = ({ name, managedAs }: NameConflict) => managedAs === name;

/** Whether a plan gives an object another name. */
function isRenamed(object: PlannedObject | undefined): boolean {
  const { references = {}, naturalKey = [] } = findDefinition(object?.type) ?? {};
  return (
    object?.operation === "update" &&
    naturalKey.some((arg) => references[arg] === undefined && object.before?.[arg] !== object.after?.[arg])
  );
}

const getKey = (name: string) => new LogicalName(name).key;
