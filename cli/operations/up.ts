/** Runs `workspacectl up`, whose report has its schema here. */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { listDoneWith } from "../../automation/plan/contained-objects.js";
import { createMissingSecretsError } from "../../automation/plan/missing-secrets.js";
import { createNameConflictError } from "../../automation/plan/name-conflicts.js";
import type { Operation } from "../../automation/plan/planned-objects.js";
import { readsAll } from "../../automation/plan/selected-objects.js";
import { refuseTwins } from "../../automation/plan/used-objects.js";
import type { CheckedPlan } from "../../automation/policy/checked-plan.js";
import { createGuardError, listRefusals } from "../../automation/policy/guards/refusals.js";
import { type AppliedPolicies, readAppliedPolicies } from "../../automation/policy/policy-file/read.js";
import { createShortageError, judgeSufficiency } from "../../automation/policy/request-budget.js";
import { note } from "../../automation/port.js";
import { exitCodes } from "../../automation/report/exit-codes.js";
import {
  describeChecks,
  describeForQuestion,
  report,
  reportHeader,
} from "../../automation/report/plan-report.js";
import { runHead, runParts, stackParts } from "../../automation/report/report-schemas.js";
import { readRunOrigin } from "../../automation/run-origin.js";
import {
  createPlanPath,
  openPlan,
  refuseElsewhere,
  restrictToPlan,
  withFlagsOf,
  writePrivately,
} from "../../automation/saved-plan/apply.js";
import {
  recordEnd,
  recordStart,
  refuseOtherFile,
  requireApproved,
} from "../../automation/saved-plan/approval.js";
import { type ApplyRun, createReceipt, describeOutcome } from "../../automation/saved-plan/saved-plan.js";
import type { Purpose } from "../../automation/stack/locate-stack.js";
import { mayCreate, withCreatedStack } from "../../automation/stack/missing-stack.js";
import { type OpenStack, openStack } from "../../automation/stack/open-stack.js";
import type { PulumiProjectFolder } from "../../automation/stack/project.js";
import {
  type OperationResult,
  restoreProtection,
  runOperation,
} from "../../automation/stack/run-operations.js";
import { FILE_TAG, identifyFile } from "../../automation/stack/stack-tags.js";
import { findOtherRun, isStateChanged } from "../../automation/stack/state-version.js";
import { ADOPT_VARIABLE, findDefinition } from "../../provider/index.js";
import { type Io, print, printResult } from "../../reports/io.js";
import { hasContents } from "../../reports/object-words.js";
import { printJson, redirectForPeople } from "../../reports/output.js";
import { LivePlan } from "../../reports/plan/live-plan.js";
import { printDone } from "../../reports/plan/print-plan.js";
import { planChecks, plannedChanges } from "../../reports/views/preview-report.js";
import type { UpCommandOptions } from "../commands/up/up-command.js";
import { askConfirmation, confirmByName, requireYes } from "../terminal/answers.js";
import { type PlanCommandOptions, type PrintedPlan, showPlan, stackHeading } from "./preview.js";
import { waitUntil } from "./print-budget.js";

export const upReportSchema = z
  .strictObject({
    ...runParts(1),
    ...stackParts,
    result: z
      .enum(["applied", "nothing", "declined"])
      .describe("nothing: there was nothing to do; declined: the answer to the prompt was no."),
    fingerprint: z.string().describe("Fingerprint of the plan."),
    plan: plannedChanges,
    ...planChecks,
    done: plannedChanges.optional().describe("What was done. Absent if nothing was applied."),
  })
  .meta({ title: "Report of an up", description: "What `workspacectl up --json` prints." });

type UpOptions = PlanCommandOptions &
  Partial<UpCommandOptions> & {
    /** Files of the user that change together with the workspace. */
    readonly pending?: PendingFiles;
  };

interface PendingFiles {
  /** Question to ask if there is nothing else to do. */
  readonly question: string;
  /** Called after the answer yes, before any request. */
  readonly write: () => void;
}

/** Makes the workspace match the file: shows the plan, asks for confirmation, and applies it. */
export async function runUp(given: UpOptions, io: Io): Promise<number> {
  const { report: done, exitCode } = await applyToWorkspace(given, io);
  if (given.json) printJson(io, done);
  return exitCode;
}

/** Shows the plan, asks for confirmation, and applies it. @returns what `--json` prints */
export async function applyToWorkspace(
  given: UpOptions,
  io: Io,
): Promise<{ readonly report: object; readonly exitCode: number }> {
  requireYes(given.yes, "up", io);
  // The options of a saved plan satisfy no policy: another job may have written it.
  const policies = await readAppliedPolicies(given, io);
  const stored = given.plan === undefined ? undefined : openPlan(given.plan, given.maxAge);
  if (stored && given.approved !== undefined) refuseOtherFile(stored.plan, given.approved);
  const options = withFlagsOf(withCreatedStack(given), stored?.plan);
  const env = options.adoptAfterCrash ? { ...io.env, [ADOPT_VARIABLE]: "1" } : io.env;
  // With --yes, nobody confirms a new stack, and a mistyped name must not create one.
  const missing = (stack: string, project: PulumiProjectFolder) =>
    !options.yes || mayCreate(options, project, stack) ? "try" : "refuse";
  const purpose: Purpose = {
    program: true,
    changes: true,
    needsPassphrase: true,
    missing,
    readsAll: readsAll(options),
  };
  const open = await openStack(options, purpose, { ...io, env });
  const origin = readRunOrigin(io.env);
  const run: ApplyRun = { open, startedAt: new Date(), stored, origin, done: [], outcome: "refused" };
  try {
    if (stored) refuseElsewhere(stored.plan, open);
    const shown = redirectForPeople(io, options);
    const live = new LivePlan(shown);
    const printed = await requireAcceptablePlan(run, { ...options, ...policies }, shown, live);
    const { plan } = printed;
    const done = await confirmAndApply(run, printed, options, shown, live).finally(() => live.end());
    const published = {
      ...runHead(1, Date.now() - run.startedAt.getTime()),
      ...reportHeader(run.open),
      result: done ? "applied" : run.outcome === "declined" ? "declined" : "nothing",
      fingerprint: plan.fingerprint,
      plan: report(plan),
      ...describeChecks(plan),
      ...(done ? { done: report(done) } : {}),
    };
    return {
      report: published,
      exitCode: run.outcome === "declined" ? exitCodes.declined : exitCodes.ok,
    };
  } catch (error) {
    run.error = error;
    throw error;
  } finally {
    if (options.receipt !== undefined) {
      writePrivately(options.receipt, createReceipt(run));
      note(io, `Receipt written to ${options.receipt}.`);
    }
  }
}

/** Returns the plan if it passes all checks. @throws {AutomationError} otherwise, before any change */
async function requireAcceptablePlan(
  run: ApplyRun,
  options: UpOptions & AppliedPolicies,
  io: Io,
  live: LivePlan,
): Promise<PrintedPlan> {
  const { open, stored } = run;
  for (;;) {
    const printed = await showPlan(open, { ...options, refuses: true, live }, io);
    const { plan } = printed;
    run.plan = plan;
    try {
      await requireApproved(run, plan, options.approved, io);
      if (listRefusals(plan.verdicts).length > 0) throw createGuardError(plan.verdicts);
      options.onPlan?.(plan);
      if (plan.taken.length > 0)
        throw createNameConflictError(plan.taken, plan.remedies, stackHeading(open, plan));
      if (plan.missingSecrets.length > 0) throw createMissingSecretsError(plan.missingSecrets);
      if (stored && !run.isRest) restrictToPlan(stored.plan, open, plan, options);
      const { left } = plan.budget;
      const enough = judgeSufficiency(plan.budget);
      if (enough === "enough") return printed;
      if (!options.wait || enough === "too-much" || left === undefined)
        throw createShortageError(plan.budget);
      await waitUntil(left.resetAt, "The remaining requests of this hour are not enough", io);
      // The workspace may have changed in the meantime.
      live.end();
      print(io);
    } catch (error) {
      live.end();
      const isStopped = (error as { readonly code?: unknown }).code === "interrupted";
      const otherRun = isStopped ? undefined : await findOtherRun(open, plan.madeFrom, io);
      await restoreProtection(open, plan.unprotected);
      // What another run has done since is the cause of most refusals, and none of them holds afterwards.
      throw otherRun ?? error;
    }
  }
}

/** Applies the plan. Returns undefined if there was nothing to do, or the answer was no. */
async function confirmAndApply(
  run: ApplyRun,
  { plan, rows, notes }: PrintedPlan,
  options: UpOptions,
  io: Io,
  live: LivePlan,
): Promise<OperationResult | undefined> {
  const { pending } = options;
  run.outcome = "nothing-to-do";
  const { steps, changedOutside, outdated, unrecorded, guardsRecorded } = plan;
  const same = steps.length === 0 && outdated === 0 && unrecorded === 0;
  const nothing = same && !changedOutside && guardsRecorded;
  if (nothing && pending === undefined) return undefined;
  const make = run.open.create && `Create stack ${run.open.name} and apply this plan?`;
  const question = findQuestionFor(plan, make) ?? pending?.question;
  if (question !== undefined && !options.yes && !(await isAgreed(question, run, plan, io))) {
    printResult(io, "Nothing was changed.");
    return undefined;
  }
  pending?.write();
  if (nothing) return undefined;
  const planned = run.open;
  if (run.open.create) {
    run.open = await run.open.create();
    run.open.stack.expect({ changing: steps.length });
  }
  const picture = live.start({ rows, notes });
  const done = await apply(run, plan, { ...options, planned }, { ...io, picture });
  if (!same) printDone(done, io);
  else if (!guardsRecorded) note(io, `The state now contains the guards of ${run.open.file.file}.`);
  else note(io, "The state now contains what the workspace has, which already matches the file.");
  if (outdated > 0) {
    // The operation has replaced the declared values; a refresh replaces the applied ones.
    const madeFrom = await run.open.stack.readVersion();
    await runOperation(run.open.stack, { command: "refresh", selection: plan.selection, madeFrom }, io);
    note(io, `The state now contains the references to secrets that the file has, for ${outdated} objects.`);
  }
  if (unrecorded > 0)
    note(io, `The state now contains retain and protect as declared: ${unrecorded} changed.`);
  return done;
}

/** Returns what to ask before a plan is applied; undefined if it changes nothing that anybody has to agree to. */
export function findQuestionFor(
  { steps, loosened }: Pick<CheckedPlan, "steps" | "loosened">,
  make?: string,
): string | undefined {
  if (loosened.length > 0)
    return steps.length > 0 ? "Apply this plan, which loosens guards?" : "Loosen these guards?";
  return steps.length > 0 ? (make ?? "Apply this plan?") : undefined;
}

function listNames({ steps }: CheckedPlan, operation: Operation): ReadonlySet<string> {
  return new Set(steps.filter((step) => step.operation === operation).map(({ name }) => name));
}

const isLoss = (operation: Operation) => operation === "delete" || operation === "replace";

/** Asks for confirmation. Protects the objects to delete again unless the answer is yes. */
async function isAgreed(question: string, run: ApplyRun, plan: CheckedPlan, io: Io): Promise<boolean> {
  const { steps, unprotected } = plan;
  run.outcome = "declined";
  try {
    // What is deleted with all that is in it cannot be undone.
    const isDestructive = steps.some(
      ({ operation, type }) => isLoss(operation) && hasContents({ definition: findDefinition(type) }),
    );
    const { name } = run.open;
    const facts = describeForQuestion(plan, name);
    const answer = isDestructive
      ? confirmByName(question, name, io, facts)
      : askConfirmation(question, io, facts);
    if (!(await answer)) return false;
    run.outcome = "nothing-to-do";
    return true;
  } catch (error) {
    run.outcome = describeOutcome(error);
    throw error;
  } finally {
    if (run.outcome !== "nothing-to-do") await restoreProtection(run.open, unprotected);
  }
}

async function apply(
  run: ApplyRun,
  plan: CheckedPlan,
  { planned, checkpoint }: UpOptions & { readonly planned: OpenStack },
  io: Io,
): Promise<OperationResult> {
  const { open, stored } = run;
  const planFile = createPlanPath();
  if (stored) writeFileSync(planFile, JSON.stringify(stored.plan.pulumiPlan), { mode: 0o600 });
  const ids = new Map<string, string>();
  run.ids = ids;
  // Recorded before the first write, so that it also holds if the operation fails.
  const file = identifyFile(open.file.file, open.project);
  const tags = file === undefined ? {} : { [FILE_TAG]: file };
  if (plan.steps.length > 0) await recordStart(open, run.approved, tags);
  open.stack.outputs = planned.stack.outputs;
  try {
    // The preview has just read everything, so the state is refreshed only if something has changed.
    const done = await runOperation(
      open.stack,
      {
        command: "up",
        refresh: plan.changedOutside,
        madeFrom: plan.madeFrom,
        writes: plan.writes,
        onStep(step) {
          run.done.push(...listDoneWith(step, plan.steps));
        },
        // Pulumi refuses its own plan for a stack that did not exist then. Both stacks are empty.
        plan: stored && !run.isRest && planned.create === undefined ? planFile : undefined,
        selection: plan.selection,
        checkpoint,
        requestCounter: open.requestCounter,
        adopting: listNames(plan, "adopt"),
        ids,
      },
      io,
    );
    run.outcome = "succeeded";
    if (run.approved) await recordEnd(open, run.approved);
    await refuseTwins(open, run.done);
    return { ...done, steps: done.steps.flatMap((step) => listDoneWith(step, plan.steps)) };
  } catch (error) {
    run.outcome = describeOutcome(error);
    if (isStateChanged(error)) await restoreProtection(open, plan.unprotected);
    throw error;
  }
}
