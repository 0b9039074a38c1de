import { exitCodes } from "../exit-codes.js";
import { note, print, printResult, type Io } from "../io.js";
import { donePrinter, printNotes, printPlan, seconds, summary } from "../plan/print.js";
import type { Told } from "../plan/steps.js";
import { about, forPeople, report, type JsonOption } from "../plan/report.js";
import { expectOf } from "../progress/expected.js";
import { printJson } from "../service/output.js";
import { confirmed, requireYes } from "../stack/confirm.js";
import { openStack, type OpenStack, type StackOptions } from "../stack/open.js";
import { destroyStack, previewDestroy } from "../stack/operations.js";
import { runPulumi } from "../stack/pulumi.js";
import { objectsInState, type StateObject } from "../stack/state.js";

export interface DestroyOptions extends StackOptions, JsonOption {
  readonly yes?: boolean;
  readonly includeProtected?: boolean;
}

/** Deletes what the stack made; protected objects only when asked to. */
export async function destroy(options: DestroyOptions, io: Io): Promise<number> {
  requireYes(options.yes, "destroy", io);
  const open = await openStack(options, { program: false }, io);
  const done = await destroyAll(open, options, forPeople(io, options));
  const result = typeof done === "object" ? { done: report(done) } : {};
  if (options.json) printJson(io, { ...about(open), ...result });
  return done === "declined" ? exitCodes.declined : exitCodes.ok;
}

/** The result; undefined when there was nothing to delete. */
async function destroyAll(
  open: OpenStack,
  options: DestroyOptions,
  io: Io,
): Promise<Told | "declined" | undefined> {
  const { workspace, baseUrl } = open.connection;
  const everything = options.includeProtected === true;
  print(io, `Workspace ${io.colors.bold(workspace)} at ${baseUrl}, stack ${io.colors.bold(open.name)}\n`);

  const objects = await objectsInState(open.stack);
  expectOf(open.stack, { reading: objects.length, changing: objects.length });
  const kept = everything ? [] : objects.filter((object) => object.protect);
  const plan = everything ? planOfAll(objects) : await previewDestroy(open.stack, io);
  printPlan(plan, {}, io);
  if (plan.steps.length === 0) {
    printResult(io, "Nothing to delete.");
    tellKept(kept, io);
    return undefined;
  }
  print(io, `\nPlan: ${summary({ ...plan, unchanged: 0 }, "plan")}`);
  tellKept(kept, io);
  if (!options.yes && !(await confirmed("Delete these?", io))) {
    printResult(io, "Nothing was changed.");
    return "declined";
  }
  const unprotect = everything && objects.some((object) => object.protect);
  return carryOut(open, plan, { unprotect, everything }, io);
}

async function carryOut(
  open: OpenStack,
  plan: Told,
  { unprotect, everything }: { readonly unprotect: boolean; readonly everything: boolean },
  io: Io,
): Promise<Told> {
  // The next `up` protects again what is left, should this be interrupted.
  if (unprotect) await runPulumi(open.cli, ["state", "unprotect", "--all", "--yes", "--stack", open.name]);
  print(io);
  const options = { excludeProtected: !everything };
  const done = await destroyStack(open.stack, options, donePrinter(plan, io), io);
  printNotes(done, io);
  printResult(
    io,
    `${io.quiet ? "" : "\n"}Done: ${summary({ ...done, unchanged: 0 }, "done")} (${seconds(done.milliseconds)})`,
  );
  return done;
}

/** With everything unprotected, all that the state knows goes. */
function planOfAll(objects: readonly StateObject[]): Told {
  const steps = objects.map(({ type, name, retain }) => ({
    operation: retain ? ("release" as const) : ("delete" as const),
    type,
    name,
    changes: [],
    replacedFor: [],
    reasons: [],
  }));
  return { steps, drift: [], problems: [], notes: [], unchanged: 0, unverifiable: [] };
}

function tellKept(kept: readonly StateObject[], io: Io): void {
  if (kept.length === 0) return;
  const names = kept.map(({ name }) => name).join(", ");
  note(io, `Protected, so left alone: ${names}. --include-protected deletes these too.`);
}
