import { readFileSync } from "node:fs";
import pc from "picocolors";
import { printBudget, sufficiency } from "../../policies/request-budget.js";
import { exitCodes } from "../../exit-codes.js";
import { printLoosened, printVerdicts } from "../../policies/guards/print.js";
import type { AppliedPolicies } from "../../policies/policy-file/policy.js";
import { appliedPolicies, type PolicyOptions } from "../../policies/policy-file/read.js";
import { captured, forProblems, note, print, printResult, warn, type Io } from "../../terminal/io.js";
import { checkedPlan, type CheckedPlan, type CheckOptions } from "../../engine/plan/checked-plan.js";
import {
  labelled,
  nothingToDo,
  planClosing,
  printHeading,
  printNotes,
  printNotWatched,
  printRows,
  printSelection,
  printUnverifiable,
  rowsOfPlan,
  seconds,
  type UnverifiableOption,
} from "../../reporters/plan/print.js";
import type { LivePlan } from "../../reporters/plan/live.js";
import { risksOf } from "../../reporters/plan/risks.js";
import type { Row } from "../../reporters/plan/changes.js";
import { requestedFormats, writeReport } from "../../reporters/deliver.js";
import type { FormatRequest, PlanFormat } from "../../reporters/format-names.js";
import { optionsAgain } from "../../options/document.js";
import { printResultTo } from "../../terminal/output.js";
import { forPeople, type JsonOption } from "../../terminal/for-people.js";
import { noteCheckpoint, type CheckpointOption } from "../../engine/stack/journal.js";
import { printNameConflicts, type ConflictContext } from "../../engine/plan/name-conflicts.js";
import { savedPlanOf } from "../../engine/saved-plan/saved-plan.js";
import { privateFolder, writePrivately } from "../../engine/saved-plan/store.js";
import { openStack, type OpenStack, type Purpose, type StackOptions } from "../../engine/stack/open.js";
import { setProtection } from "../../engine/stack/protection.js";
import { isRefused, planReport } from "./report.js";

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

export interface PreviewOptions extends PlanCommandOptions {
  /** File to which the plan is written. */
  readonly savePlan?: string;
  /** File of the report that has none of its own. */
  readonly output?: string;
  /** Formats of the report. */
  readonly format?: readonly FormatRequest<PlanFormat>[];
  /** Fail when `up` would refuse. */
  readonly strictGuards?: boolean;
}

/** Shows what was changed outside and what `up` would change. Writes nothing to the workspace. */
export async function preview(given: PreviewOptions, io: Io): Promise<number> {
  const options = withSavePlan(given, io);
  const formats = requestedFormats<PlanFormat>(options, "text");
  const policies = await appliedPolicies(options, io);
  const purpose: Purpose = { program: true, missing: "try", needsPassphrase: options.savePlan !== undefined };
  const open = await openStack(options, purpose, io);
  // If another format uses standard output, the text goes to standard error.
  const shown = forPeople(io, { json: formats.some(({ format, file }) => format !== "text" && !file) });
  const { planFile, remove } = privateFolder();
  try {
    const { plan } = await showPlan(
      open,
      { ...options, ...policies },
      shown,
      options.savePlan === undefined ? undefined : planFile,
    );
    // Only `up` removes the protection permanently.
    await setProtection(open.cli, open.name, plan.unprotected, true);
    options.onPlan?.(plan);
    printEnd(plan, options, shown);
    if (options.savePlan !== undefined) save(open, plan, options, planFile, options.savePlan, io);
    const exitCode = options.strictGuards && isRefused(plan) ? exitCodes.error : exitCodes.ok;
    const again = optionsAgain({ ...options, stack: open.name });
    const report = planReport(open, plan, exitCode, new Date(), again);
    for (const { format, ...to } of formats) {
      if (format !== "text") await writeReport(report, { format, ...to }, io);
      else if (to.file !== undefined) printResultTo(to.file, await textOf(open, plan, options, io), io);
    }
    return exitCode;
  } finally {
    remove();
  }
}

/** Takes the former spelling for a saved plan: JSON in a file, without a format for it. */
function withSavePlan(options: PreviewOptions, io: Io): PreviewOptions {
  const { output, format = [], json, savePlan } = options;
  if (output === undefined || format.length > 0 || json || savePlan !== undefined) return options;
  if (!output.endsWith(".json")) return options;
  warn(io, `-o ${output} saves the plan, as in earlier releases: write --save-plan ${output}`);
  const { output: _, ...others } = options;
  return { ...others, savePlan: output };
}

/** Writes the text of a plan as it is printed. */
async function textOf(open: OpenStack, plan: CheckedPlan, options: PreviewOptions, io: Io): Promise<string> {
  const { stream, text } = captured();
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
  if (isOfUse) print(io, io.colors.dim(`Fingerprint: ${plan.fingerprint}`));
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
  note(io, `Plan written to ${out}: "workspacectl up --plan ${out}" applies exactly this.`);
}

export function stackHeading({ connection, name }: OpenStack, { objects }: CheckedPlan): ConflictContext {
  return { workspace: connection.workspace, stack: name, objects };
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
  const plan = await checkedPlan(open, options, io, planFile);
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
  if (steps.length + drift.length + loosened.length + verdicts.length + taken.length > 0)
    printHeading(open, io);
  printSelection(selection, io);
  options.live?.measure();
  const rows = rowsOfPlan(plan, options, io, open.file.declared);
  printRows(rows, io);
  const notes = risksOf(plan).flatMap(({ label, lines }) => labelled(label, lines, io));
  if (rows.length > 0) print(io);
  for (const line of notes) print(io, line);
  if (notes.length > 0 && loosened.length > 0) print(io);
  printLoosened(loosened, forProblems(io));
  // A refusal of `up` is its error.
  printVerdicts(options.refuses ? verdicts.filter(({ ignored }) => ignored) : verdicts, forProblems(io));
  if (!options.refuses) printNameConflicts(taken, plan.remedies, stackHeading(open, plan), forProblems(io));
  if (steps.length > 0) {
    if (sufficiency(plan.budget) !== "enough" && !options.refuses) printBudget(plan.budget, io);
    await noteCheckpoint(open, options, io);
  }
  const took = seconds(plan.milliseconds);
  printResult(io, steps.length === 0 ? `${nothingToDo(plan)} (${took}).` : planClosing(plan));
  return { rows, notes };
}
