/** Runs `workspacectl import`. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { parsePulumiType } from "../../../provider/index.js";
import { CliError, exitCodes } from "../../errors.js";
import { compareImported, importObjects, reportRemaining } from "./import-objects.js";
import { importReportOf } from "./report.js";
import { printResult, type Io } from "../../terminal/io.js";
import { printHeading, formatSeconds } from "../../reporters/plan/print-plan.js";
import { printJson, redirectForPeople, type JsonOption } from "../../terminal/output.js";
import type { PlanStep } from "../../engine/plan/record-plan.js";
import { mayCreate, withCreatedStack, type CreateOption } from "../../engine/stack/missing-stack.js";
import type { PulumiProjectFolder } from "../../engine/stack/project.js";
import { openStack, type StackOptions } from "../../engine/stack/open-stack.js";
import { formatFirst } from "../../lists.js";
import { runOperation } from "../../engine/stack/run-operations.js";
import { formatObjectCount } from "../../reporters/format-values.js";

export interface ImportOptions extends StackOptions, JsonOption, CreateOption {}

/** Imports the objects that a file or a program declares into the state. Does not change the workspace. */
export async function importWorkspace(given: ImportOptions, io: Io): Promise<number> {
  const options = withCreatedStack(given);
  const said = options.program === undefined ? "file" : "program";
  const missing = (stack: string, project: PulumiProjectFolder) =>
    mayCreate(options, project, stack) ? "create" : "ask";
  const open = await openStack(options, { program: true, missing }, io);
  const shown = redirectForPeople(open.io, options);
  const foreign = watchForeignTypes();
  const added: string[] = [];
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
      `Imported: ${formatObjectCount(done.steps.length)} (${formatSeconds(done.milliseconds)}). Nothing was sent to the workspace.`,
    );
  const left = done === undefined ? before : await runOperation(open.stack, { command: "preview" }, shown);
  reportRemaining(open, left, done, said, shown);
  if (options.json) printJson(io, importReportOf(open, { done: done?.steps ?? [], ids, left, before }));
  return exitCodes.ok;
}

/** Refuses a plan that deletes or replaces objects: the file probably belongs to another stack. */
function refuseChanges(steps: readonly PlanStep[], said: string): void {
  const others = steps.filter(({ operation }) => operation !== "create" && operation !== "update");
  if (others.length === 0) return;
  const named = others.map(({ operation, name }) => `${operation} ${name}`);
  throw new CliError(
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

/** @throws {CliError} when there are any, before they are created */
function refuseForeign(found: ReadonlySet<string>): void {
  if (found.size === 0) return;
  throw new CliError(
    `the program declares objects of other services (${[...found].sort().join(", ")}): an import would create or change them`,
    'Remove them for the import, or create them first with "pulumi up --target"',
  );
}
