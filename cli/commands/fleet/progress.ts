/** The record of a run of `fleet up`, by which it continues after a failure without repeating what is done. */
import { note } from "../../../automation/port.js";
import { hashSha256 } from "../../../diff/digest.js";
import { stringifyStably } from "../../../diff/values.js";
import type { Io } from "../../../reports/io.js";
import type { ShardChoice } from "../../options/option-values.js";
import { loadEntry } from "./entry-files.js";
import type { FleetEntry } from "./fleet-file.js";
import {
  createRecord,
  openProgressFile,
  openSharedProgress,
  type Part,
  type ProgressRecord,
  type ProgressStore,
  type SharedProgressStore,
} from "./progress-store.js";
import type { FleetResult } from "./result.js";

interface ProgressOptions {
  readonly resume?: boolean | undefined;
  readonly run?: string | undefined;
  readonly shard?: ShardChoice | undefined;
}

/** Digests of what is to be applied, by workspace. */
type Digests = Pick<ReadonlyMap<string, string>, "get">;

export class FleetProgress {
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;
  /** The last claim of this machine by workspace. */
  private readonly held = new Map<string, number>();

  private constructor(
    private readonly store: ProgressStore | SharedProgressStore,
    private recorded: ProgressRecord,
    private readonly digests: Digests,
    private readonly io: Io,
  ) {}

  /**
   * Opens the record of a run: that of a named one next to the states, else that of this user for the fleet file.
   * @param options.resume continue the run that did not finish; otherwise a new record replaces its record
   * @param options.run name of the run. It continues where other machines with this name have stopped
   */
  static async open(
    fleetFile: string,
    digests: Digests,
    { resume = false, run, shard }: ProgressOptions,
    io: Io,
  ): Promise<FleetProgress> {
    const store =
      run === undefined
        ? openProgressFile(fleetFile, shard, io.env)
        : await openSharedProgress(fleetFile, run, io.env);
    const before = run === undefined ? await store.read() : await readShared(store, io);
    if (before === undefined && resume) note(io, `There is no run to resume: ${store.name} does not exist.`);
    if (before !== undefined && !resume && run === undefined)
      note(io, `The run of ${before.startedAt} has not finished. Use --resume to continue such a run.`);
    const recorded = (resume || run !== undefined ? before : undefined) ?? createRecord();
    return new FleetProgress(store, recorded, digests, io);
  }

  /** Reads what other machines have done meanwhile. */
  async refresh(): Promise<void> {
    await this.writing;
    const found = await readShared(this.store, this.io);
    const { done, gates } = this.recorded;
    // What was added meanwhile may not be in it yet.
    this.recorded = {
      ...found,
      done: { ...done, ...found.done },
      gates: { ...gates, ...found.gates },
    };
  }

  /** Whether the workspace was updated to what its file still says. */
  isDone({ name }: Pick<FleetEntry, "name">): boolean {
    const digest = this.digests.get(name);
    return digest !== undefined && this.recorded.done[name] === digest;
  }

  done({ name }: Pick<FleetEntry, "name">): void {
    const digest = this.digests.get(name);
    if (digest === undefined) return;
    this.recorded.done[name] = digest;
    this.write("done", name);
  }

  /** Records the result of a workspace that succeeded. */
  readonly record = (result: FleetResult): void => {
    if (result.result === "ok") this.done(result);
  };

  /** How many times a machine has claimed the workspace. */
  countClaims({ name }: Pick<FleetEntry, "name">): number {
    return this.recorded.claims[name] ?? 0;
  }

  /** Claims a workspace for this machine, once more to renew the claim. @returns whether no other one was faster */
  async claim({ name }: Pick<FleetEntry, "name">): Promise<boolean> {
    const number = (this.recorded.claims[name] ?? 0) + 1;
    this.recorded.claims[name] = number;
    if (isShared(this.store) && !(await this.store.claim(name, number))) return false;
    this.held.set(name, number);
    return true;
  }

  /** Gives back the claims of a workspace, so that another machine need not wait for it. */
  async release({ name }: Pick<FleetEntry, "name">): Promise<void> {
    if (isShared(this.store)) await this.store.release(name, this.held.get(name) ?? 0);
  }

  /** Whether the gate has opened for the same state of the wave. */
  hasPassed(wave: string, names: readonly string[]): boolean {
    return this.recorded.gates[wave] === this.digestOfWave(names);
  }

  passed(wave: string, names: readonly string[]): void {
    this.recorded.gates[wave] = this.digestOfWave(names);
    this.write("gates", wave);
  }

  /** Whether other machines take part in the run. */
  get isShared(): boolean {
    return isShared(this.store);
  }

  /** Whether there is something that `--resume` would skip. Ask once the record is stored. */
  get canResume(): boolean {
    return !this.isShared && !this.hasFailed && Object.keys(this.recorded.done).length > 0;
  }

  /** Waits until the record is stored. */
  async settle(): Promise<void> {
    await this.writing;
  }

  /** Removes the record, because nothing is left to do. The next run removes that of a named one, which other machines still read. */
  finish(): Promise<void> {
    return this.store.remove();
  }

  private digestOfWave(names: readonly string[]): string {
    return hashSha256(stringifyStably(names.map((name) => [name, this.recorded.done[name] ?? null])));
  }

  /** A record that cannot be written is no failure of the run. The next one sees from the states what is done. */
  private write(what: Part, name: string): void {
    this.writing = this.writing
      .then(() => this.store.add(what, name, this.recorded))
      .catch((error: unknown) => {
        // A folder in a container's image has no write access.
        const isReadOnly = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === "EROFS";
        if (!isReadOnly && !this.hasFailed)
          note(this.io, `This run cannot be resumed: ${(error as Error).message}`);
        this.hasFailed = true;
      });
  }
}

function isShared(store: ProgressStore | SharedProgressStore): store is SharedProgressStore {
  return "claim" in store;
}

/** A record that cannot be read is no failure of the run, which then repeats what is done. */
async function readShared(store: ProgressStore, io: Io): Promise<ProgressRecord> {
  try {
    return (await store.read()) ?? createRecord();
  } catch (error) {
    note(io, `The progress of this run cannot be read (${(error as Error).message}).`);
    return createRecord();
  }
}

/**
 * Digests of the entries and declared objects of workspaces, by name. Values of environment variables are not part of them,
 * because a digest of a short secret could be guessed. A file with errors has none, so it is never done. Each file is read when its
 * digest is needed first.
 */
export function digestEntries(entries: readonly FleetEntry[], env: NodeJS.ProcessEnv): Digests {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const known = new Map<string, string | undefined>();
  return {
    get(name) {
      const entry = byName.get(name);
      if (entry !== undefined && !known.has(name)) known.set(name, digestEntry(entry, env));
      return known.get(name);
    },
  };
}

function digestEntry(entry: FleetEntry, env: NodeJS.ProcessEnv): string | undefined {
  const file = loadEntry(entry, env);
  if (file === undefined) return undefined;
  const declared = file.declarations.map(({ definition, path: _, ...declaration }) => [
    definition.type,
    declaration,
  ]);
  const { workspace = null, connection = null } = file;
  return hashSha256(stringifyStably([{ ...entry, pinned: null }, workspace, connection, declared]));
}
