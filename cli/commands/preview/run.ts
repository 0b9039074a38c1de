import { readFileSync } from "node:fs";
import pc from "picocolors";
import { printBudget } from "../../policies/request-budget.js";
import { exitCodes } from "../../exit-codes.js";
import { printLoosened, printVerdicts } from "../../policies/guards/print.js";
import type { AppliedPolicies } from "../../policies/policy-file/policy.js";
import { appliedPolicies, type PolicyOptions } from "../../policies/policy-file/read.js";
import { newRuns } from "../../policies/new-runs.js";
import { captured, forProblems, note, print, printResult, type Io } from "../../terminal/io.js";
import { checkedPlan, type CheckedPlan, type CheckOptions } from "../../engine/plan/checked-plan.js";
import {
  printDrift,
  printNewRuns,
  printNotes,
  printPlan,
  printSelection,
  seconds,
  summary,
  printNotWatched,
  printUnverifiable,
  type UnverifiableOption,
  printHeading,
} from "../../reporters/plan.js";
import { requestedFormats, writeReport } from "../../reporters/deliver.js";
import type { FormatRequest, PlanFormat } from "../../reporters/format-names.js";
import { printResultTo } from "../../terminal/output.js";
import { forPeople, type JsonOption } from "../../terminal/for-people.js";
import { noteCheckpoint, type CheckpointOption } from "../../engine/stack/journal.js";
import { printNameConflicts, type ConflictContext } from "../../engine/plan/taken-names.js";
import { savedPlanOf } from "../../engine/saved-plan/saved-plan.js";
import { privateFolder, writePrivately } from "../../engine/saved-plan/store.js";
import { openStack, type OpenStack, type Purpose, type StackOptions } from "../../engine/stack/open.js";
import { setProtection } from "../../engine/stack/protection.js";
import { isRefused, planReport } from "./report.js";

export interface PlanCommandOptions
  extends StackOptions, JsonOption, UnverifiableOption, CheckOptions, PolicyOptions {
  readonly details?: boolean;
  /** Receives the plan. Throws when it must not be applied. */
  readonly onPlan?: (plan: CheckedPlan) => void;
}

export interface PreviewOptions extends PlanCommandOptions {
  /** File to which the plan is written. */
  readonly output?: string;
  /** Formats of the report. */
  readonly format?: readonly FormatRequest<PlanFormat>[];
  /** Fail when `up` would refuse. */
  readonly strictGuards?: boolean;
}

/** Shows what was changed outside and what `up` would change. Writes nothing to the workspace. */
export async function preview(options: PreviewOptions, io: Io): Promise<number> {
  const formats = requestedFormats<PlanFormat>({ format: options.format, json: options.json }, "text");
  const policies = await appliedPolicies(options, io);
  const purpose: Purpose = { program: true, missing: "try", needsPassphrase: options.output !== undefined };
  const open = await openStack(options, purpose, io);
  // If another format uses standard output, the text goes to standard error.
  const shown = forPeople(io, { json: formats.some(({ format, file }) => format !== "text" && !file) });
  const { planFile, remove } = privateFolder();
  try {
    const plan = await showPlan(
      open,
      { ...options, ...policies },
      shown,
      options.output === undefined ? undefined : planFile,
    );
    // Only `up` removes the protection permanently.
    await setProtection(open.cli, open.name, plan.unprotected, true);
    options.onPlan?.(plan);
    printEnd(plan, options, shown);
    if (options.output !== undefined) save(open, plan, options, planFile, options.output, io);
    const exitCode = options.strictGuards && isRefused(plan) ? exitCodes.error : exitCodes.ok;
    const report = planReport(open, plan, exitCode, new Date());
    for (const { format, ...to } of formats) {
      if (format !== "text") await writeReport(report, { format, ...to }, io);
      else if (to.file !== undefined) printResultTo(to.file, await textOf(open, plan, options, io), io);
    }
    return exitCode;
  } finally {
    remove();
  }
}

/** Writes the text of a plan as it is printed. */
async function textOf(open: OpenStack, plan: CheckedPlan, options: PreviewOptions, io: Io): Promise<string> {
  const { stream, text } = captured();
  const { results: _, ...world } = io;
  const into: Io = { ...world, stdout: stream, stderr: stream, quiet: false, colors: pc.createColors(false) };
  printHeading(open, into);
  await printChecked(open, plan, options, into);
  printEnd(plan, options, into);
  return text();
}

function printEnd(plan: CheckedPlan, options: UnverifiableOption, io: Io): void {
  printUnverifiable(plan.unverifiable, options, io);
  printNotWatched(plan, io);
  if (plan.steps.length > 0 || plan.loosened.length > 0)
    print(io, io.colors.dim(`Fingerprint of this plan: ${plan.fingerprint}`));
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
  writePrivately(out, savedPlanOf(open, plan, options, pulumiPlan));
  note(io, `Plan written to ${out}: "workspacectl up --plan ${out}" carries out exactly this.`);
}

export function stackHeading({ connection, name }: OpenStack, { objects }: CheckedPlan): ConflictContext {
  return { workspace: connection.workspace, stack: name, objects };
}

/** Runs a preview and prints it. @param planFile where Pulumi writes its own plan */
export async function showPlan(
  open: OpenStack,
  options: PlanCommandOptions & CheckpointOption & AppliedPolicies,
  io: Io,
  planFile?: string,
): Promise<CheckedPlan> {
  printHeading(open, io);
  const plan = await checkedPlan(open, options, io, planFile);
  await printChecked(open, plan, options, io);
  return plan;
}

/** Prints a plan and what was found about it. */
async function printChecked(
  open: OpenStack,
  plan: CheckedPlan,
  options: PlanCommandOptions & CheckpointOption,
  io: Io,
): Promise<void> {
  printNotes(plan, io);
  printSelection(plan.selection, io);
  printDrift(plan.drift, io);
  printPlan(plan, options, io);
  const what = plan.selection ? "the selected objects match" : "the workspace matches";
  if (plan.steps.length === 0)
    printResult(io, `No changes: ${what} the file (${seconds(plan.milliseconds)})`);
  else
    printResult(io, `${io.quiet ? "" : "\n"}Plan: ${summary(plan, "plan")} (${seconds(plan.milliseconds)})`);
  if (plan.steps.length > 0 || plan.drift.length > 0) {
    printBudget(plan.budget, io);
    await noteCheckpoint(open, options, io);
  }
  printAccess(plan.access.lines, io);
  printNewRuns(newRuns(plan.objects), io);
  printLoosened(plan.loosened, forProblems(io));
  printVerdicts(plan.verdicts, forProblems(io));
  printNameConflicts(plan.taken, plan.remedies, stackHeading(open, plan), forProblems(io));
}

/** Prints who gains or loses access. */
function printAccess(lines: readonly string[], io: Io): void {
  if (lines.length === 0) return;
  print(io, `\n${io.colors.bold("Access:")}`);
  for (const line of lines) print(io, `  ${line}`);
}
