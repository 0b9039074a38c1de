/** Runs `workspacectl import`, whose report has its schema here. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { z } from "zod";
import { AutomationError } from "../../automation/errors.js";
import type { PlanStep, RecordedPlan } from "../../automation/plan/record-plan.js";
import { exitCodes } from "../../automation/report/exit-codes.js";
import { publishSteps } from "../../automation/saved-plan/published-steps.js";
import { publishedChangeSchema } from "../../automation/saved-plan/schema.js";
import type { StackOptions } from "../../automation/stack/locate-stack.js";
import { type CreateOption, mayCreate, withCreatedStack } from "../../automation/stack/missing-stack.js";
import { type OpenStack, openStack } from "../../automation/stack/open-stack.js";
import type { PulumiProjectFolder } from "../../automation/stack/project.js";
import { runOperation } from "../../automation/stack/run-operations.js";
import { refuseSecondState } from "../../automation/stack/second-state.js";
import { pickDefined } from "../../diff/values.js";
import { parsePulumiType } from "../../provider/index.js";
import { formatObjectCount } from "../../reports/format-values.js";
import { type Io, printResult } from "../../reports/io.js";
import { type JsonOption, printJson, redirectForPeople } from "../../reports/output.js";
import { formatSeconds, printHeading } from "../../reports/plan/print-plan.js";
import { formatFirst } from "../../text/lists.js";
import { compareImported, importObjects, reportRemaining } from "./import-objects.js";

interface ImportOptions extends StackOptions, JsonOption, CreateOption {}

/** Imports the objects that a file or a program declares into the state. Does not change the workspace. */
export async function importWorkspace(options: ImportOptions, io: Io): Promise<number> {
  const report = await importIntoState(options, io);
  if (options.json) printJson(io, report);
  return exitCodes.ok;
}

/** Imports the declared objects into the state. @returns what `--json` prints */
export async function importIntoState(given: ImportOptions, io: Io): Promise<ImportReport> {
  const options = withCreatedStack(given);
  // Given as text, the option names a stack on purpose.
  await refuseSecondState({ ...options, ...pickDefined({ createStack: given.createStack }) }, io);
  const said = options.program === undefined ? "file" : "program";
  const missing = (stack: string, project: PulumiProjectFolder) =>
    mayCreate(options, project, stack) ? "create" : "ask";
  const open = await openStack(options, { program: true, changes: true, missing }, io);
  const shown = redirectForPeople({ ...io, env: open.io.env }, options);
  const foreign = watchForeignTypes();
  const added: string[] = [];
  const madeFrom = await open.stack.readVersion();
  const before = await runOperation(
    open.stack,
    {
      command: "preview",
      onEvent(event) {
        foreign.onEvent(event);
        const { op, urn } = event.resourcePreEvent?.metadata ?? {};
        if (op === "create" && urn !== undefined && !urn.includes("::pulumi:")) added.push(urn);
      },
    },
    shown,
  );
  refuseForeign(foreign.found);
  refuseChanges(before.steps, said);
  const ids = new Map<string, string>();
  if (added.length > 0) printHeading(open, shown);
  const { done, failure } =
    added.length === 0 ? {} : await importObjects(open, { before, added, ids, madeFrom }, shown);
  if (failure !== undefined) {
    if (failure.code !== "interrupted") await compareImported(open, said, shown);
    throw failure;
  }
  if (done === undefined)
    printResult(shown, `Nothing to import: the stack already contains everything that the ${said} declares.`);
  else
    printResult(
      shown,
      `Imported: ${formatObjectCount(done.steps.length)} (${formatSeconds(done.milliseconds)}). Nothing was sent to the workspace.`,
    );
  const left = done === undefined ? before : await runOperation(open.stack, { command: "preview" }, shown);
  reportRemaining(open, left, done, said, shown);
  return importReportOf(open, { done: done?.steps ?? [], ids, left, before });
}

/** Refuses a plan that deletes or replaces objects: the file probably belongs to another stack. */
function refuseChanges(steps: readonly PlanStep[], said: string): void {
  const others = steps.filter(({ operation }) => operation !== "create" && operation !== "update");
  if (others.length === 0) return;
  const named = others.map(({ operation, name }) => `${operation} ${name}`);
  throw new AutomationError(
    `the ${said} and the stack differ in more than what is to be imported (${formatFirst(named, 5)}): an import changes nothing`,
    'Resolve these with "up" first',
  );
}

/** Collects resources of other providers that a plan would create. */
function watchForeignTypes() {
  const found = new Set<string>();
  return {
    found,
    onEvent({ resourcePreEvent }: EngineEvent): void {
      const { op, type = "", new: fresh } = resourcePreEvent?.metadata ?? {};
      // Components are only names; providers and the stack are Pulumi's own.
      const isOther =
        fresh?.custom === true && !type.startsWith("pulumi:") && parsePulumiType(type) === undefined;
      if (resourcePreEvent && op !== "same" && isOther) found.add(type);
    },
  };
}

/** @throws {AutomationError} when there are any, before they are created */
function refuseForeign(found: ReadonlySet<string>): void {
  if (found.size === 0) return;
  throw new AutomationError(
    `the program declares objects of other services (${[...found].sort().join(", ")}): an import would create or change them`,
    'Remove them for the import, or create them first with "pulumi up --target"',
  );
}

const object = z.strictObject({
  type: z.string().describe("Resource type, such as Group."),
  name: z.string().describe("Logical name, such as groups/QA."),
});

export const importReport = z
  .strictObject({
    kind: z.literal("workspacectl-import"),
    formatVersion: z.literal(2),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    project: z.string().describe("The Pulumi project."),
    stack: z.string().describe("The stack that has the objects now."),
    imported: z
      .array(object.extend({ id: z.string().describe("Pulumi's id of the object.") }))
      .describe("Objects that came into the state."),
    unchanged: z.int().min(0).describe("Objects that were in the state before."),
    onTrust: z
      .array(object.extend({ path: z.string().describe("The argument.") }))
      .describe(
        "Values that the service does not return. The declared values are assumed to be the actual ones.",
      ),
    differences: z
      .array(
        object.extend({
          operation: z.enum(["create", "adopt", "update", "replace", "delete", "release"]),
          changes: z
            .array(publishedChangeSchema)
            .describe("Properties as they are in the workspace (before), and as they are declared (after)."),
        }),
      )
      .describe("What `workspacectl up` would change: the workspace does not match the declaration."),
  })
  .meta({ title: "Import", description: "What `workspacectl import --json` prints." });

type ImportReport = z.infer<typeof importReport>;

interface ImportRun {
  /** The imported objects, and their ids by logical name. */
  readonly done: readonly PlanStep[];
  readonly ids: ReadonlyMap<string, string>;
  /** The plans before and after. */
  readonly before: RecordedPlan;
  readonly left: RecordedPlan;
}

function importReportOf(
  { connection, project, name: stack }: OpenStack,
  { done, ids, before, left }: ImportRun,
): ImportReport {
  const names = new Set(done.map(({ name }) => name));
  return {
    kind: "workspacectl-import",
    formatVersion: 2,
    workspace: connection.workspace,
    baseUrl: connection.baseUrl,
    project: project.name,
    stack,
    imported: done.map(({ type, name }) => ({ type, name, id: ids.get(name) ?? "" })),
    unchanged: before.unchanged,
    onTrust: left.unverifiable
      .filter(({ name }) => names.has(name))
      .map(({ type, name, path }) => ({ type, name, path })),
    differences: publishSteps(left).map(({ operation, type, name, changes }) => ({
      operation,
      type,
      name,
      changes,
    })),
  };
}
