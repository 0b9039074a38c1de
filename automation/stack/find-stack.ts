/** Finds the stack of a workspace file or a program, and what is known about it. */
import { getShortName } from "../../workspace-file/load/files.js";
import type { FileFacts } from "../connection/file-facts.js";
import { note, type Port } from "../port.js";
import { type Backend, mayHaveStacks } from "./backend.js";
import { removeTruncatedFiles } from "./locks.js";
import { stackExists, stackNames, type StackTarget } from "./missing-stack.js";
import type { PulumiProjectFolder } from "./project.js";
import { openDataCli, openProgramCli } from "./pulumi-project.js";
import type { StackChoice } from "./stack-choice.js";
import type { StackLocation } from "./state.js";
import { findProviderInState, noteOtherCopy } from "./state-check.js";
import { mendState } from "./state-journal.js";
import { listStacksAt } from "./state-store.js";
import type { Program } from "./user-program.js";

/** What is known before Pulumi runs. */
export interface StackSource {
  /** The program of the user, instead of a file. */
  readonly program: Program | undefined;
  /** The objects are those in the state of a program that is not run. */
  readonly fromState: boolean;
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  readonly choice: StackChoice;
  readonly file: FileFacts;
}

/** The stack that a command works on, and whether it exists. */
export interface FoundStack {
  readonly target: StackTarget;
  readonly location: StackLocation;
  readonly exists: boolean;
  readonly otherStacks: () => Promise<readonly string[]>;
}

/**
 * Finds the stack with Pulumi's help. Creates nothing, because the user has not agreed to it yet.
 * @param checked settles when the connection has been checked, whose problem comes before a note
 */
export async function findStack(
  { program, fromState, project, backend, choice }: StackSource,
  checked: Promise<void> | undefined,
  io: Port,
): Promise<FoundStack> {
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
  return { target, location, exists, otherStacks };
}
