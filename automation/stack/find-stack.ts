/** The second step of opening a stack: finds out whether it exists, and what to do if it does not. */
import { getShortName } from "../../workspace-file/load/files.js";
import { note } from "../port.js";
import { mayHaveStacks } from "./backend.js";
import type { LocatedStack, Opening } from "./locate-stack.js";
import { removeTruncatedFiles } from "./locks.js";
import {
  askToCreate,
  createLostStateError,
  createMissingStackError,
  findLostState,
  stackExists,
  stackNames,
  type StackTarget,
  type WhenMissing,
} from "./missing-stack.js";
import { openDataCli, openProgramCli } from "./pulumi-project.js";
import type { StackLocation } from "./state.js";
import { findProviderInState, noteOtherCopy } from "./state-check.js";
import { mendState } from "./state-journal.js";
import { listStacksAt } from "./state-store.js";

/** The stack that a command works on, and whether it exists. */
export interface FoundStack {
  readonly target: StackTarget;
  readonly location: StackLocation;
  readonly exists: boolean;
  /** What to do about a stack that does not exist. */
  readonly action: WhenMissing | undefined;
  readonly otherStacks: () => Promise<readonly string[]>;
}

/**
 * Finds the stack with Pulumi's help. Creates nothing, because the user has not agreed to it yet.
 * @param checked settles when the connection has been checked, whose problem comes before a note
 */
export async function findStack(
  { program, fromState, project, backend, choice }: LocatedStack,
  checked: Promise<void> | undefined,
  opening: Opening,
): Promise<FoundStack> {
  const { io } = opening;
  const { name } = choice;
  if (!program && !fromState) noteOtherCopy(project, io);
  const location = { backendUrl: backend.url, project: project.name, stack: getShortName(name) };
  removeTruncatedFiles(location);
  await mendState(location, io.env, io);
  const cli = program
    ? await openProgramCli(project.root, backend, io)
    : await openDataCli(project, backend, io);
  const target: StackTarget = { ...choice, project, backend, cli };
  cli.folder?.writeStack(name, await findProviderInState(target, location));
  const mayBeThere = mayHaveStacks(project, backend);
  // The CLI takes a third of a second.
  const isListed = mayBeThere && !name.includes("/");
  const names = isListed ? (choice.existing ?? (await listStacksAt(location, cli.env))) : undefined;
  const exists = mayBeThere && (names?.includes(name) ?? (await stackExists(target)));
  if (!exists) await checked;
  // Where our own state is only matters when it is made.
  if (backend.notice !== undefined && !(exists && backend.isOwn)) note(io, backend.notice);
  const otherStacks = async () =>
    mayBeThere ? (names ?? (await stackNames(cli))).filter((other) => other !== name) : [];
  const action = exists ? undefined : await chooseAction(target, otherStacks, opening);
  return { target, location, exists, action, otherStacks };
}

/** Decides what to do about a stack that does not exist. @throws {AutomationError} when it must not be created */
async function chooseAction(
  target: StackTarget,
  otherStacks: FoundStack["otherStacks"],
  { options, purpose: { missing = "refuse" }, io }: Opening,
): Promise<WhenMissing> {
  const action = typeof missing === "function" ? missing(target.name, target.project) : missing;
  if (action === "refuse") throw await createMissingStackError(target, await otherStacks(), options);
  const lost = options.createStack || options.program !== undefined ? undefined : await findLostState(target);
  if (lost !== undefined) throw createLostStateError(target, lost, options);
  if (action === "ask") await askToCreate(target, await otherStacks(), io);
  return action;
}
