import { exitCodes } from "../exit-codes.js";
import { print, type Io } from "../io.js";
import { printDrift, printNotes, printPlan, seconds, summary } from "../plan/print.js";
import { about, forPeople, report, type JsonOption } from "../plan/report.js";
import { printUnverifiable, type UnverifiableOption } from "../plan/unverifiable.js";
import { printJson } from "../service/output.js";
import { openStack, type OpenStack, type StackOptions } from "../stack/open.js";
import { previewStack, type Outcome } from "../stack/operations.js";

export interface PreviewOptions extends StackOptions, JsonOption, UnverifiableOption {
  readonly refresh: boolean;
  readonly diff?: boolean;
}

/** Shows what was changed outside and what `up` would change. Writes nothing. */
export async function preview(options: PreviewOptions, io: Io): Promise<number> {
  const open = await openStack(options, { program: true }, io);
  const plan = await showPlan(open, options, forPeople(io, options));
  printUnverifiable(plan.unverifiable, options, forPeople(io, options));
  if (options.json) printJson(io, { ...about(open), plan: report(plan) });
  return exitCodes.ok;
}

/** Runs a preview and prints it. */
export async function showPlan(open: OpenStack, options: PreviewOptions, io: Io): Promise<Outcome> {
  const { workspace, baseUrl } = open.connection;
  print(io, `Workspace ${io.colors.bold(workspace)} at ${baseUrl}, stack ${io.colors.bold(open.name)}\n`);
  const plan = await previewStack(open.stack, options.refresh, io);
  printNotes(plan, io);
  printDrift(plan.drift, io);
  printPlan(plan, options, io);
  if (plan.steps.length === 0)
    print(io, `No changes: the workspace is as the file says (${seconds(plan.milliseconds)})`);
  else print(io, `\nPlan: ${summary(plan, "plan")} (${seconds(plan.milliseconds)})`);
  return plan;
}
