/** Adds to a state what the file declares and the workspace has already. Does not change the workspace. */
import { findDefinition } from "../../../provider/index.js";
import { Ref, type LoadedFile } from "../../../workspace-file/load/index.js";
import { exitCodes } from "../../errors.js";
import { formatFirst } from "../../lists.js";
import { print, printResult, note, type Io } from "../../terminal/io.js";
import { withExisting } from "../../engine/plan/name-conflicts.js";
import type { PlannedObject } from "../../engine/plan/planned-objects.js";
import { askConfirmation } from "../../terminal/answers.js";
import { mayCreate, type CreateOption } from "../../engine/stack/missing-stack.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open-stack.js";
import { runOperation, type OperationResult } from "../../engine/stack/run-operations.js";
import type { PulumiProjectFolder } from "../../engine/stack/project.js";
import { parseLogicalName } from "../../engine/urn.js";
import { formatObjectCount } from "../../reporters/format-values.js";
import { formatSeconds } from "../../reporters/plan/print-plan.js";
import { importObjects, reportRemaining } from "../import/import-objects.js";

export interface AddOptions extends StackOptions, CreateOption {
  readonly yes?: boolean;
}

/** Maximum number of objects that are named. */
const NAMED = 8;

const PREVIEW = { command: "preview", refresh: true, tolerant: true } as const;

export async function addExisting(options: AddOptions, io: Io): Promise<number> {
  const missing = (stack: string, project: PulumiProjectFolder) =>
    mayCreate(options, project, stack) ? "create" : "ask";
  const open = await openStack(options, { program: true, changes: true, missing }, io);
  const { plan, urns } = await findExisting(open);
  if (urns.length === 0) {
    printResult(
      open.io,
      "There is nothing to repair: the state has all declared objects that the workspace has.",
    );
    return exitCodes.ok;
  }
  const names = urns.map(parseLogicalName);
  print(
    open.io,
    `The workspace has ${formatObjectCount(urns.length)} of the file that are missing from the state: ${formatFirst(names, NAMED)}.`,
  );
  if (!options.yes && !(await askConfirmation("Add them to the state?", io))) return exitCodes.declined;
  const { done, failure } = await importObjects(open, { before: plan, added: urns, ids: new Map() }, open.io);
  if (done !== undefined)
    printResult(
      open.io,
      `Added to the state: ${formatObjectCount(done.steps.length)} (${formatSeconds(done.milliseconds)}). Nothing was sent to the workspace.`,
    );
  const left = await runOperation(open.stack, PREVIEW, open.io);
  reportRemaining(open, left, done, "file", open.io);
  note(
    open.io,
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
