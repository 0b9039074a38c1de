/** Rebuilds a state that is lost from its copies, the journal and the workspace, and ends messages about objects that nobody can know. */
import { AutomationError } from "../../../automation/errors.js";
import { formatNextCommand } from "../../../automation/next-command.js";
import { withExisting } from "../../../automation/plan/name-conflicts.js";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { formatOwner, waitForRun } from "../../../automation/stack/locks.js";
import { mayCreate } from "../../../automation/stack/missing-stack.js";
import { type OpenStack, openStack } from "../../../automation/stack/open-stack.js";
import type { PulumiProjectFolder } from "../../../automation/stack/project.js";
import { createLockedError, formatLocked } from "../../../automation/stack/pulumi.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { forgetCreation } from "../../../automation/stack/recovery.js";
import { type OperationResult, runOperation } from "../../../automation/stack/run-operations.js";
import { findDamage, repairState } from "../../../automation/stack/state-integrity.js";
import {
  countObjectsOf,
  findStateStore,
  parseDeployment,
  type StateStore,
} from "../../../automation/stack/state-store.js";
import { parseLogicalName } from "../../../components/urn.js";
import { findDefinition } from "../../../provider/index.js";
import { formatObjectCount } from "../../../reports/format-values.js";
import { type Io, print, printResult } from "../../../reports/io.js";
import { formatSeconds } from "../../../reports/plan/print-plan.js";
import { formatFirst } from "../../../text/lists.js";
import { type LoadedFile, Ref } from "../../../workspace-file/load/load.js";
import { importObjects, reportRemaining } from "../../operations/import-objects.js";
import { askConfirmation, requireYes } from "../../terminal/answers.js";
import type { StackRepairOptions } from "./stack-command.js";

export async function stackRepair(options: StackRepairOptions, io: Io): Promise<number> {
  const { cli, stack, location } = await openPulumi(options, { secrets: false }, io);
  if (options.forget !== undefined) {
    const count = await forgetCreation(location, cli, options.forget);
    if (count === 0)
      throw new AutomationError(
        `no interrupted run of stack ${stack} has a record of ${options.forget}`,
        `run "${formatNextCommand(["preview"], { ...options, stack })}" to see what such a run left behind`,
      );
    print(io, `The record of the interrupted run for ${options.forget} was removed.`);
    return exitCodes.ok;
  }
  const store = await findStateStore(location, cli.env);
  if (typeof store === "string")
    throw new AutomationError(
      `the state of stack ${stack} cannot be repaired there, because ${store}`,
      `restore an earlier version of it in ${String(location.backendUrl)}, then "${formatNextCommand(["import"], { ...options, stack })}" adds what is missing`,
    );
  const held = await waitForRun(location, cli.env, io);
  if (held !== undefined) throw createLockedError(formatLocked(formatOwner(held.lock)));
  const restored = await restoreState(store, options, io);
  if (restored === "declined") return exitCodes.declined;
  // A state that was there shows that the stack existed.
  const createStack = options.createStack === true || restored === "set aside";
  return addExisting({ ...options, createStack }, io);
}

/** Puts the latest copy in the place of a state that is lost, after a prompt; without a copy, makes room for a new state. */
async function restoreState(
  store: StateStore,
  { yes }: StackRepairOptions,
  io: Io,
): Promise<"done" | "set aside" | "declined"> {
  const text = await store.read();
  const deployment = parseDeployment(text);
  const damage = deployment && findDamage(deployment);
  const count = deployment && countObjectsOf(deployment);
  const copies = await store.copies();
  const [latest] = copies;
  print(io, `The state ${store.name} ${describeFound(text, count, damage)}.`);
  // A destroyed stack has no objects either, but then its latest copy has none.
  const isLost = count === undefined || (count === 0 && (latest?.objects ?? 0) > 0);
  if (!isLost && damage === undefined) return "done";
  const repaired = repairState(text);
  if (repaired !== undefined) {
    if (!(await isConfirmed("Repair it, which loses nothing?", yes, io))) return "declined";
    const copy = await store.keepCopy();
    await store.write(repaired);
    print(io, `It was repaired. A copy of the damaged state is ${copy}.`);
    return "done";
  }
  print(io, copies.length === 0 ? "There is no copy of it." : "Copies of it:");
  for (const { at, objects, name } of copies) print(io, `  ${at}  ${formatObjectCount(objects)}  ${name}`);
  if (latest !== undefined) {
    if (!(await isConfirmed("Restore the latest of them?", yes, io))) return "declined";
    await store.write(latest.text);
    print(io, `The state of ${latest.at} was restored.`);
    return "done";
  }
  if (text === undefined) {
    // What follows may create the stack.
    requireYes(yes, "stack repair", io, "stack");
    return "done";
  }
  if (!(await isConfirmed("Rebuild it from what the workspace has?", yes, io))) return "declined";
  print(io, `The unreadable state was moved to ${await store.setAside()}.`);
  return "set aside";
}

/** Where nobody can be asked, what was found is printed, and nothing is written without --yes. */
async function isConfirmed(question: string, yes: boolean | undefined, io: Io): Promise<boolean> {
  requireYes(yes, "stack repair", io, "stack");
  return yes === true || (await askConfirmation(question, io));
}

function describeFound(text: string | undefined, count: number | undefined, damage: string | undefined) {
  if (count === undefined) return text === undefined ? "is missing" : "cannot be read";
  const has = `has ${formatObjectCount(count)}`;
  return damage === undefined ? has : `${has}, and Pulumi refuses it: ${damage}`;
}

/** Maximum number of objects that are named. */
const NAMED = 8;

const PREVIEW = { command: "preview", refresh: true, tolerant: true } as const;

async function addExisting(options: StackRepairOptions, io: Io): Promise<number> {
  const missing = (stack: string, project: PulumiProjectFolder) =>
    mayCreate(options, project, stack) ? "create" : "ask";
  const open = await openStack(options, { program: true, changes: true, missing }, io);
  const shown = { ...io, env: open.io.env };
  const madeFrom = await open.stack.readVersion();
  const { plan, urns } = await findExisting(open);
  if (urns.length === 0) {
    printResult(
      shown,
      "There is nothing to repair: the state has all declared objects that the workspace has.",
    );
    return exitCodes.ok;
  }
  const names = urns.map(parseLogicalName);
  print(
    shown,
    `The workspace has ${formatObjectCount(urns.length)} of the file that are missing from the state: ${formatFirst(names, NAMED)}.`,
  );
  if (!(await isConfirmed("Add them to the state?", options.yes, io))) return exitCodes.declined;
  const { done, failure } = await importObjects(
    open,
    { before: plan, added: urns, ids: new Map(), madeFrom },
    shown,
  );
  if (done !== undefined)
    printResult(
      shown,
      `Added to the state: ${formatObjectCount(done.steps.length)} (${formatSeconds(done.milliseconds)}). Nothing was sent to the workspace.`,
    );
  const left = await runOperation(open.stack, PREVIEW, shown);
  reportRemaining(open, left, done, "file", shown);
  note(
    shown,
    'The file does not say what else the state had: "workspacectl drift" lists what is only in the workspace.',
  );
  if (failure !== undefined) throw failure;
  return exitCodes.ok;
}

/** Finds the objects that a plan would create although they exist. */
async function findExisting(open: OpenStack): Promise<{ plan: OperationResult; urns: readonly string[] }> {
  const plan = await runOperation(open.stack, PREVIEW, open.io);
  const { objects } = plan;
  const urns = new Map(plan.observed.map(({ name, urn }) => [name, urn]));
  const { taken, steps } = await withExisting({ objects, steps: plan.steps }, open);
  const adopted = steps.filter(({ operation }) => operation === "adopt");
  const found = new Set(
    [...taken.filter(({ managedAs }) => managedAs === undefined), ...adopted].map(({ name }) => name),
  );
  const planned = objects.filter(({ name, operation }) => operation === "create" && urns.has(name));
  const existing = new Set(withParts(planned, found, open.file.declared).map(({ name }) => name));
  // The engine reports what it read in parallel in any order.
  const declared = open.file.declared?.declarations ?? [];
  const inOrder = declared.filter(({ name }) => existing.has(name));
  return { plan, urns: inOrder.flatMap(({ name }) => urns.get(name) ?? []) };
}

/** Adds the objects without a name, such as the order of a pipeline's actions, if all to which they refer exist. */
function withParts(
  planned: readonly PlannedObject[],
  found: ReadonlySet<string>,
  declared: LoadedFile | undefined,
): readonly PlannedObject[] {
  const args = new Map(declared?.declarations.map((one) => [one.name, one.args]));
  const absent = new Set(planned.map(({ name }) => name).filter((name) => !found.has(name)));
  const isPart = ({ type, name }: PlannedObject) => {
    const { naturalKey, ephemeral } = findDefinition(type) ?? {};
    return naturalKey?.length === 0 && !ephemeral && !refersToAny(args.get(name), absent);
  };
  return planned.filter((one) => found.has(one.name) || isPart(one));
}

/** Whether a value contains a reference to one of the objects. */
function refersToAny(value: unknown, names: ReadonlySet<string>): boolean {
  if (value instanceof Ref) return names.has(value.name);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => refersToAny(part, names));
}
