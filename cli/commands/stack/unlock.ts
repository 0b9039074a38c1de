/** Releases the lock of a stack, after it has said whose it is. */
import { hostname } from "node:os";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import {
  findLock,
  forgetRecords,
  formatOwner,
  type FoundLock,
  releaseLostLocks,
} from "../../../automation/stack/locks.js";
import { createLockedError, formatLocked, runPulumi } from "../../../automation/stack/pulumi.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { type Io, print } from "../../../reports/io.js";
import { askConfirmation, confirmByName, requireYes } from "../../terminal/answers.js";
import type { StackUnlockOptions } from "./stack-command.js";

export async function stackUnlock(options: StackUnlockOptions, io: Io): Promise<number> {
  if (options.uniqueHostname && !options.ifOwnerGone)
    throw new AutomationError(
      "--unique-hostname has a meaning only together with --if-owner-gone",
      "add --if-owner-gone, or omit it",
    );
  if (!options.ifOwnerGone) requireYes(options.yes, "stack unlock", io, "stack");
  const { cli, stack, location } = await openPulumi(options, { secrets: false }, io);
  if (options.ifOwnerGone) {
    const uniqueHostname = options.uniqueHostname ? hostname() : undefined;
    const held = await releaseLostLocks(location, cli.env, io, { uniqueHostname });
    if (held !== undefined) throw createLockedError(formatLocked(formatOwner(held.lock)));
    print(io, `Stack ${stack} is not locked.`);
    return exitCodes.ok;
  }
  const found = await findLock(location, cli.env);
  if (found !== "none" && !(await isAgreed(stack, found, options, io))) return exitCodes.declined;
  // Pulumi also removes the rest of a lock that was not written to its end.
  await runPulumi(cli, ["cancel", "--yes", "--stack", stack]);
  await forgetRecords(location, cli.env);
  const next = "The next command completes what its run left behind.";
  print(io, found === "none" ? `Stack ${stack} is not locked.` : `Stack ${stack} is unlocked. ${next}`);
  return exitCodes.ok;
}

/** @param found undefined where only Pulumi can read the lock @throws {AutomationError} when its run goes on and --yes alone would end it */
export async function isAgreed(
  stack: string,
  found: FoundLock | undefined,
  { yes, force }: Partial<Pick<StackUnlockOptions, "yes" | "force">>,
  io: Io,
): Promise<boolean> {
  const owner = found && formatOwner(found.lock);
  const whose = owner === undefined ? "" : ` (created by ${owner})`;
  if (found?.runs && yes && !force)
    throw new AutomationError(
      `the run that has the lock of stack ${stack}${whose} is still in progress: its process runs on this machine; nothing was changed`,
      "wait until it ends, or add --force to end it: the next command completes what it has begun",
    );
  if (yes) return true;
  const question = `Release the lock of stack ${stack}${whose}? ${describeRun(found)}`;
  return found?.runs ? confirmByName(question, stack, io) : askConfirmation(question, io);
}

function describeRun(found: FoundLock | undefined): string {
  if (found?.runs === false) return "Its process has ended.";
  const ends = "ends within some seconds, unless it is plain Pulumi";
  if (found?.runs) return `Its process runs on this machine, and ${ends}.`;
  return `A run that still uses it ${ends}. --if-owner-gone finds out within a minute whether there is one.`;
}
