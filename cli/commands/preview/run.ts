import { readFileSync } from "node:fs";
import { printBudget, sufficiency } from "../../policies/request-budget.js";
import { exitCodes } from "../../exit-codes.js";
import { printVerdicts, refusals } from "../../policies/guards/print.js";
import { forProblems, note, print, printResult, type Io } from "../../terminal/io.js";
import { checkedPlan, type CheckedPlan, type CheckOptions } from "../../engine/plan/checked-plan.js";
import {
  printDrift,
  printNotes,
  printPlan,
  seconds,
  summary,
  printUnverifiable,
  type UnverifiableOption,
  printHeading,
} from "../../reporters/plan.js";
import { reportHeader, checks, forPeople, report, type JsonOption } from "../../reporters/plan-json.js";
import { printNameConflicts, type ConflictContext } from "../../engine/plan/taken-names.js";
import { savedPlanOf } from "../../engine/saved-plan/saved-plan.js";
import { privateFolder, writePrivately } from "../../engine/saved-plan/store.js";
import { printJson } from "../../terminal/output.js";
import { openStack, type OpenStack, type Purpose, type StackOptions } from "../../engine/stack/open.js";
import { setProtection } from "../../engine/stack/protection.js";

export interface PlanCommandOptions extends StackOptions, JsonOption, UnverifiableOption, CheckOptions {
  readonly details?: boolean;
  /** Told of the plan; throws when it may not be carried out. */
  readonly onPlan?: (plan: CheckedPlan) => void;
}

export interface PreviewOptions extends PlanCommandOptions {
  /** File to which the plan is written. */
  readonly output?: string;
  /** Fail when `up` would refuse. */
  readonly strictGuards?: boolean;
}

/** Shows what was changed outside and what `up` would change. Writes nothing to the workspace. */
export async function preview(options: PreviewOptions, io: Io): Promise<number> {
  const purpose: Purpose = { program: true, missing: "try", needsPassphrase: options.output !== undefined };
  const open = await openStack(options, purpose, io);
  const shown = forPeople(io, options);
  const { planFile, remove } = privateFolder();
  try {
    const plan = await showPlan(open, options, shown, options.output === undefined ? undefined : planFile);
    // Only `up` takes the protection away for good.
    await setProtection(open.cli, open.name, plan.unprotected, true);
    options.onPlan?.(plan);
    printUnverifiable(plan.unverifiable, options, shown);
    if (options.output !== undefined) save(open, plan, options, planFile, options.output, io);
    if (options.json) printJson(io, { ...reportHeader(open), plan: report(plan), ...checks(plan) });
    const refused =
      plan.taken.length > 0 || refusals(plan.verdicts).length > 0 || sufficiency(plan.budget) !== "enough";
    return options.strictGuards && refused ? exitCodes.error : exitCodes.ok;
  } finally {
    remove();
  }
}

function save(
  open: OpenStack,
  plan: CheckedPlan,
  options: PreviewOptions,
  planFile: string,
  out: string,
  io: Io,
): void {
  // Of a plan that Pulumi refused to make there is nothing to be carried out.
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
  options: PlanCommandOptions,
  io: Io,
  planFile?: string,
): Promise<CheckedPlan> {
  printHeading(open, io);
  const plan = await checkedPlan(open, options, io, planFile);
  printNotes(plan, io);
  printDrift(plan.drift, io);
  printPlan(plan, options, io);
  if (plan.steps.length === 0)
    printResult(io, `No changes: the workspace is as the file says (${seconds(plan.milliseconds)})`);
  else
    printResult(io, `${io.quiet ? "" : "\n"}Plan: ${summary(plan, "plan")} (${seconds(plan.milliseconds)})`);
  if (plan.steps.length > 0 || plan.drift.length > 0) printBudget(plan.budget, io);
  printAccess(plan.access.lines, io);
  printVerdicts(plan.verdicts, forProblems(io));
  printNameConflicts(plan.taken, plan.remedies, stackHeading(open, plan), forProblems(io));
  return plan;
}

/** What a plan means for who may do what. */
function printAccess(lines: readonly string[], io: Io): void {
  if (lines.length === 0) return;
  print(io, `\n${io.colors.bold("Access:")}`);
  for (const line of lines) print(io, `  ${line}`);
}
