/** Rebuilds a state that is lost from its copies, the journal and the workspace, and ends messages about objects that nobody can know. */
import { CliError, exitCodes } from "../../errors.js";
import { formatNextCommand } from "../../options/document.js";
import { print, type Io } from "../../terminal/io.js";
import { askConfirmation, requireYes } from "../../terminal/answers.js";
import { formatOwner, waitForRun } from "../../engine/stack/locks.js";
import type { CreateOption } from "../../engine/stack/missing-stack.js";
import type { StackOptions } from "../../engine/stack/open-stack.js";
import { openPulumi } from "../../engine/stack/pulumi-project.js";
import { createLockedError, formatLocked } from "../../engine/stack/pulumi.js";
import { forgetCreation } from "../../engine/stack/recovery.js";
import {
  parseDeployment,
  countObjectsOf,
  findStateStore,
  type StateStore,
} from "../../engine/stack/state-store.js";
import { formatObjectCount } from "../../reporters/format-values.js";
import { addExisting } from "./add-existing.js";

export interface RepairOptions extends StackOptions, CreateOption {
  readonly yes?: boolean;
  readonly forget?: string;
}

export async function stackRepair(options: RepairOptions, io: Io): Promise<number> {
  const { cli, stack, location } = await openPulumi(options, { secrets: false }, io);
  if (options.forget !== undefined) {
    const count = await forgetCreation(location, cli, options.forget);
    if (count === 0)
      throw new CliError(
        `no interrupted run of stack ${stack} has a record of ${options.forget}`,
        `run "${formatNextCommand(["preview"], { ...options, stack })}" to see what such a run left behind`,
      );
    print(io, `The record of the interrupted run for ${options.forget} was removed.`);
    return exitCodes.ok;
  }
  requireYes(options.yes, "stack repair", io, "stack");
  const store = await findStateStore(location, cli.env);
  if (typeof store === "string")
    throw new CliError(
      `the state of stack ${stack} cannot be repaired there, because ${store}`,
      `restore an earlier version of it in ${location.backendUrl.split("?")[0]}, then "${formatNextCommand(["import"], { ...options, stack })}" adds what is missing`,
    );
  const held = await waitForRun(location, cli.env, io);
  if (held !== undefined) throw createLockedError(formatLocked(formatOwner(held.lock)));
  const restored = await restoreState(store, options, io);
  if (restored === "declined") return exitCodes.declined;
  // A state that was there shows that the stack existed.
  const createStack = options.createStack === true || restored === "set aside";
  return addExisting({ ...options, createStack }, io);
}

/** Puts the latest copy in the place of a state that is lost, after a prompt; without a copy, makes room for a new state. */
async function restoreState(
  store: StateStore,
  { yes }: RepairOptions,
  io: Io,
): Promise<"done" | "set aside" | "declined"> {
  const text = await store.read();
  const deployment = parseDeployment(text);
  const count = deployment && countObjectsOf(deployment);
  const copies = await store.copies();
  const [latest] = copies;
  const found =
    count === undefined
      ? text === undefined
        ? "is missing"
        : "cannot be read"
      : `has ${formatObjectCount(count)}`;
  print(io, `The state ${store.name} ${found}.`);
  // A destroyed stack has no objects either, but then its latest copy has none.
  const isLost = count === undefined || (count === 0 && (latest?.objects ?? 0) > 0);
  if (!isLost) return "done";
  print(io, copies.length === 0 ? "There is no copy of it." : "Copies of it:");
  for (const { at, objects, name } of copies) print(io, `  ${at}  ${formatObjectCount(objects)}  ${name}`);
  if (latest !== undefined) {
    if (!yes && !(await askConfirmation("Restore the latest of them?", io))) return "declined";
    await store.write(latest.text);
    print(io, `The state of ${latest.at} was restored.`);
    return "done";
  }
  if (text === undefined) return "done";
  if (!yes && !(await askConfirmation("Rebuild it from what the workspace has?", io))) return "declined";
  print(io, `The unreadable state was moved to ${await store.setAside()}.`);
  return "set aside";
}
