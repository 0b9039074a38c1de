import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { logicalNameOf } from "../../engine/urn.js";
import { ownType, IMPORT_VARIABLE } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { importReportOf } from "./report.js";
import { note, printResult, type Io, print } from "../../terminal/io.js";
import { printHeading, printNotes, printRows, rowsOfPlan, seconds } from "../../reporters/plan/print.js";
import { forPeople, type JsonOption } from "../../terminal/for-people.js";
import type { PlanStep, RecordedPlan } from "../../engine/plan/steps.js";
import { printJson } from "../../terminal/output.js";
import { mayCreate, withCreatedStack, type CreateOption } from "../../engine/stack/missing-stack.js";
import type { PulumiProjectFolder } from "../../engine/stack/project.js";
import { openStack, type OpenStack, type StackOptions } from "../../engine/stack/open.js";
import { firstOf } from "../../lists.js";
import { previewStack, upStack, type OperationResult } from "../../engine/stack/operations.js";
import { objectsText, plain } from "../../reporters/values.js";

export interface ImportOptions extends StackOptions, JsonOption, CreateOption {}

/** Imports the objects that a file or a program declares into the state. Does not change the workspace. */
export async function importWorkspace(given: ImportOptions, io: Io): Promise<number> {
  const options = withCreatedStack(given);
  const said = options.program === undefined ? "file" : "program";
  const missing = (stack: string, project: PulumiProjectFolder) =>
    mayCreate(options, project, stack) ? "create" : "ask";
  const open = await openStack(options, { program: true, missing }, io);
  const shown = forPeople(open.io, options);
  const foreign = foreignTypes();
  const added: string[] = [];
  const before = await previewStack(open.stack, false, shown, {
    onEvent(event) {
      foreign.onEvent(event);
      const { op, urn } = event.resourcePreEvent?.metadata ?? {};
      if (op === "create" && urn !== undefined && !urn.includes("::pulumi:")) added.push(urn);
    },
  });
  refuseForeign(foreign.found);
  refuseChanges(before.steps, said);
  const ids = new Map<string, string>();
  if (added.length > 0) printHeading(open, shown);
  const { done, failure } =
    added.length === 0 ? {} : await importObjects(open, { before, added, ids }, shown);
  if (failure !== undefined) {
    if (failure.exitCode === exitCodes.error) await compareImported(open, said, shown);
    throw failure;
  }
  if (done === undefined)
    printResult(shown, `Nothing to import: the stack already contains everything that the ${said} declares.`);
  else
    printResult(
      shown,
      `Imported: ${objectsText(done.steps.length)} (${seconds(done.milliseconds)}). Nothing was sent to the workspace.`,
    );
  const left = done === undefined ? before : await previewStack(open.stack, false, shown);
  tellWhatIsLeft(open, left, done, said, shown);
  if (options.json) printJson(io, importReportOf(open, { done: done?.steps ?? [], ids, left, before }));
  return exitCodes.ok;
}

/** Runs `up` in import mode, in which the provider returns existing objects (provider/crud/import.ts). */
async function importObjects(
  open: OpenStack,
  { before, added, ids }: { before: RecordedPlan; added: readonly string[]; ids: Map<string, string> },
  io: Io,
): Promise<{ readonly done?: OperationResult; readonly failure?: CliError }> {
  const { stack } = open;
  // Objects that the stack already has are not changed.
  const target = before.steps.length > added.length ? added : undefined;
  const imported: PlanStep[] = [];
  stack.variables = { ...stack.variables, [IMPORT_VARIABLE]: "1" };
  try {
    const onEvent = (event: EngineEvent) => keepId(event, ids);
    const done = await upStack(stack, false, (step) => imported.push(step), io, {
      continueOnError: true,
      target,
      onEvent,
    });
    printNotes(done, io);
    printImported(open, imported, before, io);
    return { done };
  } catch (error) {
    printImported(open, imported, before, io);
    if (!(error instanceof CliError)) throw error;
    const rest = added.length - imported.length;
    const all = objectsText(added.length);
    const failure = new CliError(
      `${error.message}\n${rest} of ${all} could not be imported: these, what they contain, and what depends on them. ` +
        `Omit objects that do not exist for now, and create them with "up" afterwards`,
      error.exitCode,
      { cause: error },
    );
    return { failure };
  } finally {
    const { [IMPORT_VARIABLE]: _done, ...usual } = stack.variables;
    stack.variables = usual;
  }
}

/** Says how what was imported differs, although the import failed for others. */
async function compareImported(open: OpenStack, said: string, io: Io): Promise<void> {
  // The failure of the import says more than a second one.
  const left = await previewStack(open.stack, true, io).catch(() => undefined);
  const steps = left?.steps.filter(({ operation }) => operation !== "create") ?? [];
  if (left !== undefined && steps.length > 0) tellDifferences(open, { ...left, steps }, said, io);
}

function keepId({ resOutputsEvent }: EngineEvent, ids: Map<string, string>): void {
  const { urn = "", new: fresh } = resOutputsEvent?.metadata ?? {};
  if (fresh?.id) ids.set(logicalNameOf(urn), fresh.id);
}

function tellWhatIsLeft(
  open: OpenStack,
  left: RecordedPlan,
  done: OperationResult | undefined,
  said: string,
  io: Io,
): void {
  const trust = onTrustLine(left, done?.steps ?? []);
  if (trust !== undefined) note(io, trust);
  if (left.steps.length > 0) tellDifferences(open, left, said, io);
  else if (done !== undefined)
    printResult(io, `The next preview is empty: the workspace matches the ${said}.`);
}

function tellDifferences(open: OpenStack, left: RecordedPlan, said: string, io: Io): void {
  note(io, `The workspace differs from the ${said}; \`up\` would change:`);
  printRows(rowsOfPlan(left, {}, io, open.file.declared), io);
}

/** Refuses a plan that deletes or replaces objects: the file probably belongs to another stack. */
function refuseChanges(steps: readonly PlanStep[], said: string): void {
  const others = steps.filter(({ operation }) => operation !== "create" && operation !== "update");
  if (others.length === 0) return;
  const named = others.map(({ operation, name }) => `${operation} ${name}`);
  throw new CliError(
    `the ${said} and the stack differ in more than what is to be imported (${firstOf(named, 5)}): ` +
      `an import changes nothing. Resolve these with "up" first`,
  );
}

/** Collects resources of other providers that a plan would create. */
function foreignTypes() {
  const found = new Set<string>();
  return {
    found,
    onEvent({ resourcePreEvent }: EngineEvent): void {
      const { op, type = "", new: fresh } = resourcePreEvent?.metadata ?? {};
      // Components are only names; providers and the stack are Pulumi's own.
      const isOther = fresh?.custom === true && !type.startsWith("pulumi:") && ownType(type) === undefined;
      if (resourcePreEvent && op !== "same" && isOther) found.add(type);
    },
  };
}

/** @throws {CliError} when there are any, before they are created */
function refuseForeign(found: ReadonlySet<string>): void {
  if (found.size === 0) return;
  throw new CliError(
    `the program declares objects of other services (${[...found].sort().join(", ")}): an import would create or ` +
      `change them. Remove them for the import, or create them first with "pulumi up --target"`,
  );
}

/** Prints the imported objects as a tree. */
function printImported(
  open: OpenStack,
  done: readonly PlanStep[],
  { shown }: Pick<RecordedPlan, "shown">,
  io: Io,
): void {
  if (done.length === 0) return;
  const steps = done.map((step): PlanStep => ({ ...step, operation: "adopt", changes: [] }));
  printRows(rowsOfPlan({ steps, drift: [], shown }, {}, io, open.file.declared), io);
  print(io);
}

/** Maximum number of values that are named. */
const NAMED = 5;

/** Returns a line about the values of imported objects that cannot be verified. */
function onTrustLine({ unverifiable }: RecordedPlan, imported: readonly PlanStep[]): string | undefined {
  const names = new Set(imported.map(({ name }) => name));
  const found = unverifiable.filter(({ name }) => names.has(name));
  if (found.length === 0) return undefined;
  const named = found.map(({ name, path }) => `${name}: ${path}`);
  const [values, them] = found.length === 1 ? ["1 value is", "it"] : [`${found.length} values are`, "them"];
  return `${values} assumed to be right, because the service does not show ${them}: ${plain(firstOf(named, NAMED))}`;
}
