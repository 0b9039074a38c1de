import { ADOPT_VARIABLE } from "../../provider/index.js";
import { exitCodes } from "../exit-codes.js";
import { print, type Io } from "../io.js";
import { donePrinter, printNotes, seconds, summary } from "../plan/print.js";
import { printJson } from "../service/output.js";
import { confirmed, requireYes } from "../stack/confirm.js";
import { about, forPeople, report } from "../plan/report.js";
import { openStack, type OpenStack } from "../stack/open.js";
import { upStack, type Outcome } from "../stack/operations.js";
import { showPlan, type PreviewOptions } from "./preview.js";

export interface UpOptions extends PreviewOptions {
  readonly yes?: boolean;
  /** Take over what exists already: a run was killed on a machine whose journal is not here. */
  readonly adoptAfterCrash?: boolean;
}

/** Brings the workspace to what the file says: shows the plan, asks, carries it out. */
export async function up(options: UpOptions, io: Io): Promise<number> {
  requireYes(options.yes, "up", io);
  const env = options.adoptAfterCrash ? { ...io.env, [ADOPT_VARIABLE]: "1" } : io.env;
  const open = await openStack(options, { program: true }, { ...io, env });
  const shown = forPeople(io, options);
  const plan = await showPlan(open, options, shown);
  const done = await carryOut(open, plan, options, shown);
  if (options.json)
    printJson(io, { ...about(open), plan: report(plan), ...(done ? { done: report(done) } : {}) });
  return exitCodes.ok;
}

/** The result; undefined when there was nothing to do, or the answer was no. */
async function carryOut(
  open: OpenStack,
  plan: Outcome,
  options: UpOptions,
  io: Io,
): Promise<Outcome | undefined> {
  if (plan.steps.length === 0 && plan.drift.length === 0) return undefined;
  if (plan.steps.length > 0 && !options.yes && !(await confirmed("Carry this out?", io))) {
    print(io, "Nothing was changed.");
    return undefined;
  }
  print(io);
  // The preview has just read everything: only what it found changed has to be read into the state.
  const refresh = plan.drift.length > 0;
  const done = await upStack(open.stack, refresh, donePrinter(plan, io), io);
  printNotes(done, io);
  print(io, `\nDone: ${summary(done, "done")} (${seconds(done.milliseconds)})`);
  return done;
}
