/** The record of a run of `fleet up`, by which it continues after a failure without repeating what is done. */
import { stringifyStably } from "../../../diff/values.js";
import { formatCount } from "../../../diff/format-count.js";
import { hashSha256 } from "../../digest.js";
import type { ShardChoice } from "../../options/parsers.js";
import { note, type Io } from "../../terminal/io.js";
import type { FleetEntry } from "./file.js";
import { loadEntry } from "./load-entry.js";
import {
  openProgressFile,
  openProgressPlace,
  type ProgressRecord,
  type ProgressStore,
} from "./progress-record.js";

interface ProgressOptions {
  readonly resume?: boolean | undefined;
  readonly run?: string | undefined;
  readonly shard?: ShardChoice | undefined;
}

export class FleetProgress {
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  private constructor(
    private readonly store: ProgressStore,
    private readonly recorded: ProgressRecord,
    private readonly digests: ReadonlyMap<string, string>,
    private readonly io: Io,
  ) {}

  /**
   * Opens the record of a run: that of a named one next to the states, else the one next to the fleet file.
   * @param digests what is to be applied, by workspace
   * @param options.resume continue the run that did not finish; otherwise a new record replaces its record
   * @param options.run name of the run. It continues where another machine with this name has stopped
   */
  static async open(
    fleetFile: string,
    digests: ReadonlyMap<string, string>,
    { resume = false, run, shard }: ProgressOptions,
    io: Io,
  ): Promise<FleetProgress> {
    const store =
      run === undefined
        ? openProgressFile(fleetFile, shard)
        : await openProgressPlace(fleetFile, shard, io.env);
    const before = await store.read();
    const continues = run === undefined ? resume : before?.run === run;
    const fresh = { version: 1 as const, startedAt: new Date().toISOString(), done: {}, gates: {} };
    const recorded = (continues ? before : undefined) ?? { ...fresh, ...(run === undefined ? {} : { run }) };
    const count = Object.keys(recorded.done).length;
    if (before === undefined && resume) note(io, `There is no run to resume: ${store.name} does not exist.`);
    if (run !== undefined && count > 0)
      note(io, `Continues run ${run}: ${formatCount(count, "workspace")} done before.`);
    if (run === undefined && before !== undefined && !resume)
      note(io, `The run of ${before.startedAt} has not finished. Use --resume to continue such a run.`);
    return new FleetProgress(store, recorded, digests, io);
  }

  /** Whether the workspace was updated to what its file still says. */
  isDone({ name }: Pick<FleetEntry, "name">): boolean {
    const digest = this.digests.get(name);
    return digest !== undefined && this.recorded.done[name] === digest;
  }

  done({ name }: Pick<FleetEntry, "name">): void {
    const digest = this.digests.get(name);
    if (digest !== undefined) this.recorded.done[name] = digest;
    this.write();
  }

  /** Whether the gate has opened for the same state of the wave. */
  hasPassed(wave: string, names: readonly string[]): boolean {
    return this.recorded.gates[wave] === this.digestOfWave(names);
  }

  passed(wave: string, names: readonly string[]): void {
    this.recorded.gates[wave] = this.digestOfWave(names);
    this.write();
  }

  /** Whether there is something that `--resume` would skip. */
  get canResume(): boolean {
    return this.recorded.run === undefined && Object.keys(this.recorded.done).length > 0;
  }

  /** Removes the record, because nothing is left to do. That of a named run stays: its machine may be lost before others know of the end. */
  async finish(): Promise<void> {
    if (this.recorded.run === undefined) await this.store.remove();
  }

  /** Waits until the record is stored. */
  async settle(): Promise<void> {
    await this.writing;
  }

  private digestOfWave(names: readonly string[]): string {
    return hashSha256(stringifyStably(names.map((name) => [name, this.recorded.done[name] ?? null])));
  }

  /** A record that cannot be written is no failure of the run. The next one sees from the states what is done. */
  private write(): void {
    const record = structuredClone(this.recorded);
    this.writing = this.writing
      .then(() => this.store.write(record))
      .catch((error: unknown) => {
        // A folder in a container's image has no write access.
        const isReadOnly = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === "EROFS";
        if (!isReadOnly && !this.hasFailed)
          note(this.io, `This run cannot be resumed: ${(error as Error).message}`);
        this.hasFailed = true;
      });
  }
}

/**
 * Digests of the entries and declared objects of workspaces, by name. Values of environment variables are not part of them,
 * because a digest of a short secret could be guessed. A file with errors has none, so it is never done.
 */
export function digestEntries(
  entries: readonly FleetEntry[],
  env: NodeJS.ProcessEnv,
): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const file = loadEntry(entry, env);
      if (file === undefined) return [];
      const declared = file.declarations.map(({ definition, path: _, ...declaration }) => [
        definition.type,
        declaration,
      ]);
      const { workspace = null, connection = null } = file;
      return [
        [
          entry.name,
          hashSha256(stringifyStably([{ ...entry, pinned: null }, workspace, connection, declared])),
        ],
      ];
    }),
  );
}
