/** The record of a run of `fleet up`, by which `--resume` continues after a failure without repeating what is done. */
import { dirname, join } from "node:path";
import { z } from "zod";
import { stringifyStably } from "../../../diff/values.js";
import { hashSha256 } from "../../digest.js";
import { removeFile } from "../../../trust/output-files.js";
import { readJsonFileIfPresent } from "../../config-files/json-file.js";
import type { ShardChoice } from "../../options/parsers.js";
import { note, type Io } from "../../terminal/io.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import type { FleetEntry } from "./file.js";
import { loadEntry } from "./load-entry.js";

const schema = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  /** Digest of what was applied, by workspace. */
  done: z.record(z.string(), z.string()),
  /** Digest of what a gate has checked, by wave. */
  gates: z.record(z.string(), z.string()),
});

const RECORD = { what: "a record of workspacectl fleet", remedy: "delete or move it" };

type Recorded = z.infer<typeof schema>;

export class FleetProgress {
  private constructor(
    private readonly file: string,
    private readonly recorded: Recorded,
    private readonly digests: ReadonlyMap<string, string>,
    private readonly io: Io,
  ) {}

  /**
   * Opens the record next to the fleet file. Shards on one machine have one each.
   * @param digests what is to be applied, by workspace
   * @param resume continue the run that did not finish; otherwise a new record replaces its record
   */
  static open(
    fleetFile: string,
    digests: ReadonlyMap<string, string>,
    { resume, shard }: { readonly resume?: boolean | undefined; readonly shard?: ShardChoice | undefined },
    io: Io,
  ): FleetProgress {
    const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
    const file = join(dirname(fleetFile), `fleet.progress${part}.json`);
    const before = readJsonFileIfPresent(schema, file, RECORD);
    if (before === undefined && resume) note(io, `There is no run to resume: ${file} does not exist.`);
    if (before !== undefined && !resume)
      note(io, `The run of ${before.startedAt} has not finished. Use --resume to continue such a run.`);
    const fresh = { version: 1 as const, startedAt: new Date().toISOString(), done: {}, gates: {} };
    return new FleetProgress(file, (resume ? before : undefined) ?? fresh, digests, io);
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
    return Object.keys(this.recorded.done).length > 0;
  }

  /** Removes the record, because nothing is left to do. */
  finish(): void {
    removeFile(this.file);
  }

  private digestOfWave(names: readonly string[]): string {
    return hashSha256(stringifyStably(names.map((name) => [name, this.recorded.done[name] ?? null])));
  }

  /** A folder without write access is no failure of the run, such as one in a container's image. */
  private write(): void {
    try {
      writeFileAtomically(this.file, `${JSON.stringify(this.recorded, null, 2)}\n`);
    } catch (error) {
      // The next pod of a Job sees from the states what is done.
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === "EROFS") return;
      note(this.io, `This run cannot be resumed: ${(error as Error).message}`);
    }
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
