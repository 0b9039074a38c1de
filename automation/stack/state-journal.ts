/**
 * The journal of a run that changes objects, where Pulumi writes the state only at the end of the run. The state is read back before the
 * journal is removed.
 */
import { getJournalFolder } from "../../recovery/journal.js";
import { RunJournal } from "../../recovery/run-journal.js";
import { FolderStore } from "../../recovery/stores.js";
import { describeWriteError, explainWriteFailure } from "../../recovery/write-failure.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import { releaseDeadLocks } from "./locks.js";
import type { PulumiCli } from "./pulumi.js";
import type { StackLocation } from "./state.js";
import { repairState } from "./state-integrity.js";
import { findStateStore, parseDeployment, type StateStore } from "./state-store.js";

export interface CheckpointOption {
  /** When the state is written. Default: at the end, where a journal is possible. */
  readonly checkpoint?: "every" | "journal" | undefined;
}

export interface StateJournal {
  readonly store: StateStore;
  readonly journal: RunJournal;
}

/** Opens the journal next to the state. @returns why there is none */
export async function openStateJournal(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
): Promise<StateJournal | string> {
  const store = await findStateStore(location, env);
  if (typeof store === "string") return store;
  const others = () => Promise.resolve([new FolderStore(getJournalFolder(env))]);
  const journal = new RunJournal(store.journal, { env: ofProject(env, location), others, besideState: true });
  return { store: store, journal };
}

/** Opens the journal in which earlier runs on a stack have left their intents: the one next to the state, or the user's own. */
export async function openJournalOf(location: StackLocation, env: NodeJS.ProcessEnv): Promise<RunJournal> {
  const opened = await openStateJournal(location, env);
  if (typeof opened !== "string") return opened.journal;
  return new RunJournal(new FolderStore(getJournalFolder(env)), { env: ofProject(env, location) });
}

/** Two projects of one user may declare the same workspace. The journal distinguishes them by this. */
function ofProject(env: NodeJS.ProcessEnv, { project }: StackLocation): NodeJS.ProcessEnv {
  return { ...env, PULUMI_NODEJS_PROJECT: project };
}

/** Prints next to a plan why Pulumi will write the whole state after every object. */
export async function noteCheckpoint(
  {
    stack,
    location,
    cli,
  }: {
    readonly stack: { readonly isOfProgram: boolean };
    readonly location: StackLocation;
    readonly cli: { readonly env: NodeJS.ProcessEnv };
  },
  { checkpoint }: CheckpointOption,
  io: Port,
): Promise<void> {
  // Pulumi's service keeps a journal of its own.
  if (checkpoint === "every" || location.backendUrl.isOfService) return;
  const reason = stack.isOfProgram
    ? "a program may manage objects of other providers"
    : await findStateStore(location, cli.env);
  if (typeof reason === "string")
    note(io, `Pulumi writes the whole state after every object, because ${reason}.`);
}

/** @throws {AutomationError} when the state cannot be copied, so that nothing must be sent */
export function secureState({ store: place, journal }: StateJournal): void {
  try {
    place.snapshot();
  } catch (error) {
    const why = describeWriteError(journal.name, error as Error);
    throw new AutomationError(
      `the state cannot be copied to ${journal.name} (${why}), so nothing was sent`,
      explainWriteFailure(why)?.remedy ??
        "make sure that this user can write there, and run the command again",
    );
  }
}

/** Adds the key that Pulumi has made for the first run of a stack to its empty state, before that run writes: recovery encrypts with it. */
export async function addKey(
  { store: place }: StateJournal,
  { folder }: Pick<PulumiCli, "folder">,
  stack: string,
): Promise<void> {
  const salt = folder?.saltOf(stack);
  if (salt === undefined || !(await place.addKey(salt))) return;
  folder?.saveStack(stack);
  if (place.hasSnapshot) place.snapshot();
}

/**
 * Ends the journal of a run if the state contains all that it acknowledged. Repairs a state that the engine would refuse, and puts the
 * state of the start in the place of one that cannot be read.
 * @returns where what was done is recorded
 */
export async function settleRun({ store: place, journal }: StateJournal): Promise<"state" | "journal"> {
  try {
    const text = await place.read();
    const repaired = repairState(text);
    if (repaired !== undefined) await place.write(repaired);
    const deployment = parseDeployment(repaired ?? text);
    if (deployment === undefined) {
      if (place.hasSnapshot) place.restore();
    } else if (holds(deployment, journal)) {
      await journal.settle();
      place.dropSnapshot();
      return "state";
    }
  } catch {
    // The next command finds the journal.
  }
  return "journal";
}

function holds(
  { resources = [] }: { readonly resources?: readonly { urn: string; id?: string }[] },
  journal: RunJournal,
) {
  const there = new Set(resources.map(({ urn, id }) => `${urn} ${id}`));
  return [...journal.acknowledged()].every(([object, exists]) => there.has(object) === exists);
}

/**
 * Puts the state of the start of a killed run in the place of one that the run could not write. What it did is in its journal.
 */
export async function mendState(location: StackLocation, env: NodeJS.ProcessEnv, io: Port): Promise<void> {
  const store = await findStateStore(location, env);
  if (typeof store === "string" || !store.hasSnapshot) return;
  if ((await releaseDeadLocks(location, env, io)) !== undefined) return;
  if (parseDeployment(await store.read()) !== undefined) return;
  store.restore();
  note(
    io,
    `The state of stack ${location.stack} was incomplete, because a run did not finish writing it. The state from the start of that run was restored, and its ` +
      "journal completes it.",
  );
}
