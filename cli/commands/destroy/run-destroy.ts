/** Runs `workspacectl destroy`, whose report has its schema here. */
import { z } from "zod";
import {
  findContents,
  listDoneWith,
  type UnmanagedContent,
  withListed,
} from "../../../automation/plan/contained-objects.js";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import type { PlanStep, RecordedPlan } from "../../../automation/plan/record-plan.js";
import { accessLookup } from "../../../automation/policy/access-impact/live-access.js";
import { matchNamedForDeletion } from "../../../automation/policy/guards/deletes.js";
import { judgePlan } from "../../../automation/policy/guards/judge.js";
import {
  collectGuardsInForce,
  listLoosened,
  parseRecordedGuards,
} from "../../../automation/policy/guards/record.js";
import { createGuardError, listRefusals } from "../../../automation/policy/guards/refusals.js";
import type { Loosened, Verdict } from "../../../automation/policy/guards/types.js";
import { type AppliedPolicies, readAppliedPolicies } from "../../../automation/policy/policy-file/read.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { describeForQuestion, report, reportHeader } from "../../../automation/report/plan-report.js";
import { runHead, runParts, stackParts } from "../../../automation/report/report-schemas.js";
import { type OpenStack, openStack } from "../../../automation/stack/open-stack.js";
import {
  type OperationResult,
  restoreProtection,
  type RunningOperation,
  runOperation,
  setProtection,
} from "../../../automation/stack/run-operations.js";
import { findOutputsOfStack, listObjectsInState, type StateObject } from "../../../automation/stack/state.js";
import { type CheckpointOption, noteCheckpoint } from "../../../automation/stack/state-journal.js";
import { isStateChanged } from "../../../automation/stack/state-version.js";
import { type Io, print, printResult, redirectToProblems } from "../../../reports/io.js";
import { printJson, redirectForPeople } from "../../../reports/output.js";
import type { Row } from "../../../reports/plan/changed-rows.js";
import { LivePlan } from "../../../reports/plan/live-plan.js";
import {
  listRows,
  planClosing,
  printDone,
  printHeading,
  printNotes,
  printRows,
} from "../../../reports/plan/print-plan.js";
import { printLoosened, printVerdicts } from "../../../reports/plan/print-verdicts.js";
import { planChecks, plannedChanges } from "../../../reports/views/preview-report.js";
import { confirmByName, requireYes } from "../../terminal/answers.js";
import type { DestroyOptions } from "./destroy-command.js";

const { guards, loosened, unmanagedContents } = planChecks;

export const destroyReportSchema = z
  .strictObject({
    ...runParts(1),
    ...stackParts,
    plan: plannedChanges,
    guards,
    loosened,
    unmanagedContents,
    done: plannedChanges.optional().describe("What was done. Absent if nothing was deleted."),
  })
  .meta({ title: "Report of a destroy", description: "What `workspacectl destroy --json` prints." });

/** The planned deletions, and the result of their checks. */
interface DestroyPlan {
  readonly recorded: OperationResult;
  /** What no file declares in the objects that are deleted. */
  readonly contents: readonly UnmanagedContent[];
  readonly verdicts: readonly Verdict[];
  /** Guards that allow something that they refused at the last `up`. */
  readonly loosened: readonly Loosened[];
}

/** Deletes the objects of a stack. Protected objects require an option. The guards check the plan like any other. */
export async function destroy(options: DestroyOptions, io: Io): Promise<number> {
  const { report: done, exitCode } = await deleteFromWorkspace(options, io);
  if (options.json) printJson(io, done);
  return exitCode;
}

/** Shows the plan, asks for confirmation, and applies it. @returns what `--json` prints */
export async function deleteFromWorkspace(
  options: DestroyOptions,
  io: Io,
): Promise<{ readonly report: object; readonly exitCode: number }> {
  requireYes(options.yes, "destroy", io);
  const began = Date.now();
  const policies = await readAppliedPolicies(options, io);
  const open = await openStack(options, { program: false, changes: true }, io);
  const people = redirectForPeople(io, options);
  const live = new LivePlan(people);
  const isNamed = matchNamedForDeletion(options, open.file.guards());
  const lifted = listObjectsInState(await open.state()).filter(
    (one) => one.protect && (one.retain || options.includeProtected || isNamed(one)),
  );
  const urns = lifted.map(({ urn }) => urn);
  // Pulumi refuses to plan the deletion of protected objects, so their protection is lifted, and restored when nothing is deleted.
  await setProtection(open.cli, open.name, urns, false);
  let begun = false;
  try {
    // Read before the objects and the plan, so that whatever another run writes from now on is noticed.
    const madeFrom = await open.stack.readVersion();
    const isLifted = ({ urn }: StateObject) => urns.includes(urn);
    const objects = listObjectsInState(await open.state()).map((one) =>
      isLifted(one) ? { ...one, protect: true } : one,
    );
    open.stack.expect({ reading: objects.length, changing: objects.length });
    const isKept = (one: StateObject) => one.retain || (one.protect && !isLifted(one));
    readAhead(
      open,
      objects.filter((one) => !isKept(one)),
    );
    const plan = await planDestroy(open, { ...options, ...policies }, objects, people);
    if (plan.recorded.steps.length > 0) printHeading(open, people);
    live.measure();
    const rows = show(
      plan,
      objects,
      objects.filter((one) => one.protect && !isLifted(one)),
      people,
    );
    if (plan.recorded.steps.length > 0) await noteCheckpoint(open, options, people);
    if (listRefusals(plan.verdicts).length > 0) throw createGuardError(plan.verdicts, true);
    const agreed =
      plan.recorded.steps.length > 0 && (options.yes || (await askToDelete(plan.recorded, open, people)));
    begun = agreed;
    const picture = agreed ? live.start({ rows, notes: [] }) : undefined;
    const applied = { ...options, madeFrom };
    const done = agreed
      ? await applyDestroy(open, plan.recorded, applied, { ...people, picture })
      : undefined;
    if (plan.recorded.steps.length > 0 && !agreed) printResult(people, "Nothing was changed.");
    const published = {
      ...runHead(1, Date.now() - began),
      ...reportHeader(open),
      plan: report(plan.recorded),
      guards: plan.verdicts,
      loosened: plan.loosened,
      unmanagedContents: plan.contents,
      ...(done ? { done: report(done) } : {}),
    };
    return {
      report: published,
      exitCode: plan.recorded.steps.length > 0 && !agreed ? exitCodes.declined : exitCodes.ok,
    };
  } catch (error) {
    if (isStateChanged(error)) begun = false;
    throw error;
  } finally {
    live.end();
    if (!begun) await restoreProtection(open, urns);
  }
}

function askToDelete(plan: RecordedPlan, { name }: OpenStack, io: Io): Promise<boolean> {
  return confirmByName("Delete these?", name, io, describeForQuestion(plan, name));
}

/** Reads what the objects contain while Pulumi plans. The plan takes it from the read cache. */
function readAhead(open: OpenStack, objects: readonly StateObject[]): void {
  const deleted = objects.map((one) => ({ ...toPlannedObject(one, []), operation: "delete" }) as const);
  // The plan needs the same lists, and reports what fails.
  open.stack.ready.then(() => findContents(deleted, open)).catch(() => undefined);
}

async function planDestroy(
  open: OpenStack,
  options: DestroyOptions & AppliedPolicies,
  objects: readonly StateObject[],
  io: Io,
): Promise<DestroyPlan> {
  const preview = await runOperation(open.stack, { command: "previewDestroy", fromState: options.yes }, io);
  const world = { ...io, env: open.io.env };
  const own = objects.map((object) => toPlannedObject(object, preview.steps));
  const staying = await findWhoStays(own, open, world);
  const plan = {
    objects: own.map((one) => (staying.has(one) ? toReleasedObject(one) : one)),
    steps: preview.steps,
  };
  const whole = await withListed(plan, open, false);
  const { contents, notes } = await findContents(whole.objects, open);
  const recorded = parseRecordedGuards(findOutputsOfStack(await open.state()));
  return {
    recorded: { ...preview, steps: whole.steps, notes: [...preview.notes, ...notes] },
    contents,
    verdicts: await judgePlan(open, options, { objects: whole.objects, contents }, io),
    loosened: listLoosened(
      collectGuardsInForce(open.file.guards(), options.policies, open.file.declared),
      recorded,
      whole.objects,
      options.policies,
    ),
  };
}

/** Converts an object to the input of the guards. Objects that the preview does not delete stay unchanged. */
function toPlannedObject(
  { type, name, protect, properties: before }: StateObject,
  steps: readonly PlanStep[],
): PlannedObject {
  const step = steps.find((one) => one.type === type && one.name === name);
  const shared = { type, name, before, ...(protect ? { protected: true } : {}) };
  return step ? { ...shared, operation: step.operation } : { ...shared, operation: "same", after: before };
}

const toReleasedObject = (object: PlannedObject): PlannedObject => ({ ...object, operation: "release" });

/** Finds the calling user and the workspace's owner, who stay members whatever is deleted. */
async function findWhoStays(
  objects: readonly PlannedObject[],
  open: OpenStack,
  io: Io,
): Promise<Set<PlannedObject>> {
  const members = objects
    .filter(({ type, operation }) => type === "WorkspaceMember" && operation === "delete")
    .toSorted((a, b) => Number(b.before?.["admin"] === true) - Number(a.before?.["admin"] === true));
  if (members.length === 0) return new Set();
  const numberOf = ({ before }: PlannedObject) => Number(before?.["memberId"]);
  const reasons = await accessLookup(open.connection, io, open.stack.reads).staying(members.map(numberOf));
  return new Set(members.filter((member) => reasons.has(numberOf(member))));
}

function show(
  { recorded, contents, verdicts, loosened }: DestroyPlan,
  objects: readonly StateObject[],
  kept: readonly StateObject[],
  io: Io,
): Row[] {
  printNotes(recorded, io);
  const rows = listRows({ ...recorded, contents }, {}, io);
  printRows(rows, io);
  if (rows.length > 0) print(io);
  noteKept(kept, io);
  printLoosened(loosened, redirectToProblems(io));
  printVerdicts(
    verdicts.filter(({ ignored }) => ignored),
    redirectToProblems(io),
  );
  if (recorded.steps.length === 0) printResult(io, "Nothing to delete.");
  else
    print(
      io,
      planClosing({ ...recorded, unverifiable: [], unchanged: objects.length - recorded.steps.length }),
    );
  return rows;
}

async function applyDestroy(
  open: OpenStack,
  plan: OperationResult,
  { checkpoint, madeFrom }: CheckpointOption & Pick<RunningOperation, "madeFrom">,
  io: Io,
): Promise<RecordedPlan> {
  const each = (step: PlanStep) => listDoneWith(step, plan.steps);
  const done = await runOperation(
    open.stack,
    { command: "destroy", checkpoint, madeFrom, writes: plan.writes },
    io,
  );
  const whole = { ...done, steps: done.steps.flatMap(each), unchanged: 0 };
  printDone(whole, io);
  return whole;
}

function noteKept(kept: readonly StateObject[], io: Io): void {
  if (kept.length === 0) return;
  // The state lists them in the order in which they were created.
  const names = kept
    .map(({ name }) => name)
    .toSorted()
    .join(", ");
  note(io, `Protected, so not deleted: ${names}. --include-protected deletes these too.`);
}
