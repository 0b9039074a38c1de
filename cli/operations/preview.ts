/** Runs `workspacectl preview`. */
import { readFileSync } from "node:fs";
import pc from "picocolors";
import { formatNextCommand, repeatOptions } from "../../automation/next-command.js";
import type { ConflictContext } from "../../automation/plan/name-conflicts.js";
import { readsAll } from "../../automation/plan/selected-objects.js";
import {
  type CheckedPlan,
  type CheckOptions,
  requireCheckedPlan,
} from "../../automation/policy/checked-plan.js";
import { formatNotCovered } from "../../automation/policy/plan-fingerprint.js";
import {
  type AppliedPolicies,
  type PolicyOptions,
  readAppliedPolicies,
} from "../../automation/policy/policy-file/read.js";
import { judgeSufficiency } from "../../automation/policy/request-budget.js";
import { note } from "../../automation/port.js";
import { exitCodes } from "../../automation/report/exit-codes.js";
import type { Report } from "../../automation/report/report-view.js";
import { createPlanPath, writePrivately } from "../../automation/saved-plan/apply.js";
import { toSavedPlan } from "../../automation/saved-plan/saved-plan.js";
import { hasFleet } from "../../automation/stack/fleet-turn.js";
import type { Purpose, StackOptions } from "../../automation/stack/locate-stack.js";
import { type OpenStack, openStack } from "../../automation/stack/open-stack.js";
import { restoreProtection } from "../../automation/stack/run-operations.js";
import { type CheckpointOption, noteCheckpoint } from "../../automation/stack/state-journal.js";
import { listRequestedFormats, writeReport } from "../../reports/deliver-report.js";
import type { PlanFormat } from "../../reports/formats.js";
import { captureOutput, type Io, print, printResult, redirectToProblems } from "../../reports/io.js";
import { type JsonOption, printResultTo, redirectForPeople } from "../../reports/output.js";
import type { Row } from "../../reports/plan/changed-rows.js";
import type { LivePlan } from "../../reports/plan/live-plan.js";
import {
  formatNothingToDo,
  formatSeconds,
  labelLines,
  listRisks,
  listRows,
  planClosing,
  printHeading,
  printNotes,
  printNotWatched,
  printRows,
  printSelection,
  printUnverifiable,
  type UnverifiableOption,
} from "../../reports/plan/print-plan.js";
import { printLoosened, printNameConflicts, printVerdicts } from "../../reports/plan/print-verdicts.js";
import { isRefused, planReport } from "../../reports/views/preview-report.js";
import type { PreviewCommandOptions } from "../commands/preview/preview-command.js";
import { printBudget } from "./print-budget.js";

export interface PlanCommandOptions
  extends StackOptions, JsonOption, UnverifiableOption, CheckOptions, PolicyOptions {
  readonly details?: boolean;
  /** The command ends with an error if the plan is refused, which says why. */
  readonly refuses?: boolean;
  /** Measures what is printed of the plan, to update it in place. */
  readonly live?: Pick<LivePlan, "measure">;
  /** Receives the plan. Throws when it must not be applied. */
  readonly onPlan?: (plan: CheckedPlan) => void;
}

type PreviewOptions = PlanCommandOptions & Partial<PreviewCommandOptions>;

/** Shows what was changed outside and what `up` would change. Writes nothing to the workspace. */
export async function preview(options: PreviewOptions, io: Io): Promise<number> {
  const formats = listRequestedFormats<PlanFormat>(options, "text");
  // If another format uses standard output, the text goes to standard error.
  const shown = redirectForPeople(io, {
    json: formats.some(({ format, file }) => format !== "text" && !file),
  });
  const { open, plan, report, exitCode } = await previewStack(options, shown, io);
  for (const { format, ...to } of formats) {
    if (format !== "text") await writeReport(report, { format, ...to }, io);
    else if (to.file !== undefined) printResultTo(to.file, await formatPreview(open, plan, options, io), io);
  }
  return exitCode;
}

/** A plan that was made and shown. */
interface Previewed {
  readonly open: OpenStack;
  readonly plan: CheckedPlan;
  readonly report: Report;
  readonly exitCode: number;
}

/** Makes a plan, prints it and saves it. @param shown where the plan is printed */
export async function previewStack(options: PreviewOptions, shown: Io, io: Io): Promise<Previewed> {
  const policies = await readAppliedPolicies(options, io);
  const purpose: Purpose = {
    program: true,
    missing: "try",
    needsPassphrase: options.savePlan !== undefined,
    readsAll: readsAll(options),
  };
  const open = await openStack(options, purpose, io);
  const planFile = options.savePlan === undefined ? undefined : createPlanPath();
  const { plan } = await showPlan(open, { ...options, ...policies }, shown, planFile);
  // Only `up` removes the protection permanently.
  await restoreProtection(open, plan.unprotected);
  options.onPlan?.(plan);
  printEnd(plan, options, shown);
  // A fleet exits with an error in any case.
  if (isRefused(plan) && !options.strictGuards && !options.refuses && !hasFleet(io.env))
    note(shown, "`up` refuses this plan. Add --strict-guards for an exit code that says so.");
  if (options.savePlan !== undefined && planFile !== undefined)
    save(open, plan, options, planFile, options.savePlan, io);
  const exitCode = chooseExitCode(plan, options);
  const again = repeatOptions({ ...options, stack: open.name });
  return { open, plan, report: planReport(open, plan, exitCode, new Date(), again), exitCode };
}

function chooseExitCode(plan: CheckedPlan, { strictGuards, exitCode }: PreviewOptions): number {
  if (strictGuards && isRefused(plan)) return exitCodes.error;
  return exitCode && plan.steps.length > 0 ? exitCodes.changes : exitCodes.ok;
}

/** Writes the text of a plan as it is printed. */
async function formatPreview(
  open: OpenStack,
  plan: CheckedPlan,
  options: PreviewOptions,
  io: Io,
): Promise<string> {
  const { stream, text } = captureOutput();
  const { results: _, ...world } = io;
  const into: Io = { ...world, stdout: stream, stderr: stream, quiet: false, colors: pc.createColors(false) };
  await printChecked(open, plan, options, into);
  printEnd(plan, { ...options, isReport: true }, into);
  return text();
}

function printEnd(
  plan: CheckedPlan,
  options: PreviewOptions & { readonly isReport?: boolean },
  io: Io,
): void {
  printUnverifiable(plan.unverifiable, options, io);
  printNotWatched(plan, io);
  // An approval names it, and takes it from what is stored.
  const isStored = options.savePlan !== undefined || options.isReport === true;
  const isOfUse = isStored && (plan.steps.length > 0 || plan.loosened.length > 0);
  if (!isOfUse) return;
  print(io, io.colors.dim(`Fingerprint: ${plan.fingerprint}`));
  for (const one of plan.notCovered)
    print(io, io.colors.yellow(`It does not cover ${formatNotCovered(one)}`));
}

function save(
  open: OpenStack,
  plan: CheckedPlan,
  options: PreviewOptions,
  planFile: string,
  out: string,
  io: Io,
): void {
  // Pulumi's own plan is incomplete if it refused a step.
  const complete = plan.problems.length === 0;
  const pulumiPlan = complete ? (JSON.parse(readFileSync(planFile, "utf8")) as unknown) : null;
  writePrivately(out, toSavedPlan(open, plan, options, pulumiPlan));
  // The plan says itself to which objects it is limited.
  const { only: _, ...next } = options;
  const again = formatNextCommand(["up", "--plan", out], next);
  note(io, `Plan written to ${out}: "${again}" applies exactly this.`);
}

export function stackHeading(
  { connection, name, named }: OpenStack,
  { objects }: CheckedPlan,
): ConflictContext {
  return { workspace: connection.workspace, stack: name, objects, named };
}

/** A plan as it was printed: its rows, and the lines between them and the closing line. */
export interface PrintedPlan {
  readonly plan: CheckedPlan;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

/** Runs a preview and prints it. @param planFile where Pulumi writes its own plan */
export async function showPlan(
  open: OpenStack,
  options: PlanCommandOptions & CheckpointOption & AppliedPolicies,
  io: Io,
  planFile?: string,
): Promise<PrintedPlan> {
  const plan = await requireCheckedPlan(open, options, io, planFile);
  return { plan, ...(await printChecked(open, plan, options, io)) };
}

/** Prints a plan and what was found about it: what changes, what is risky, and the counts. */
export async function printChecked(
  open: OpenStack,
  plan: CheckedPlan,
  options: PlanCommandOptions & CheckpointOption,
  io: Io,
): Promise<Omit<PrintedPlan, "plan">> {
  const { steps, drift, loosened, verdicts, taken, selection } = plan;
  printNotes(plan, io);
  const isImplied = open.file.workspace === undefined;
  if (isImplied || steps.length + drift.length + loosened.length + verdicts.length + taken.length > 0)
    printHeading(open, io);
  printSelection(selection, io);
  options.live?.measure();
  const rows = listRows(plan, options, io, open.file.declared);
  printRows(rows, io);
  // A missing secret ends `up`, whose error says the same.
  const risks = listRisks(options.refuses ? { ...plan, missingSecrets: [] } : plan);
  const notes = risks.flatMap(({ label, lines }) => labelLines(label, lines, io));
  if (rows.length > 0) print(io);
  for (const line of notes) print(io, line);
  if (notes.length > 0 && loosened.length > 0) print(io);
  printLoosened(loosened, redirectToProblems(io));
  // A refusal of `up` is its error.
  printVerdicts(
    options.refuses ? verdicts.filter(({ ignored }) => ignored) : verdicts,
    redirectToProblems(io),
  );
  if (!options.refuses)
    printNameConflicts(taken, plan.remedies, stackHeading(open, plan), redirectToProblems(io));
  if (steps.length > 0) {
    if (judgeSufficiency(plan.budget) !== "enough" && !options.refuses) printBudget(plan.budget, io);
    await noteCheckpoint(open, options, io);
  }
  const took = formatSeconds(plan.milliseconds);
  printResult(io, steps.length === 0 ? `${formatNothingToDo(plan)} (${took}).` : planClosing(plan));
  return { rows, notes };
}
