import type { FleetCommand } from "./child.js";
import { readFleet, type FleetEntry } from "./file.js";
import { refuseSharedObjects } from "./owners.js";
import { runFleet, worstOf, type FleetRun } from "./processes.js";
import { exitCodes } from "../../exit-codes.js";
import type { Format, FormatRequest } from "../../reporters/format-names.js";
import { note, type Io } from "../../terminal/io.js";
import { confirmed, requireYes } from "../../engine/stack/confirm.js";
import { figuresFile, recordFigures } from "./figures.js";
import { writeFleet } from "./report.js";
import { chosen, chosenShard } from "./selection.js";
import type { ShardChoice } from "../../options/parsers.js";

export interface FleetOptions {
  readonly file: string;
  readonly only?: readonly string[];
  readonly parallel: number;
  readonly failFast?: boolean;
  readonly format?: readonly FormatRequest<Format>[];
  readonly shard?: ShardChoice;
  /** The file with the figures of the last runs. */
  readonly figures?: string;
  readonly quiet?: boolean;
  readonly yes?: boolean;
  /** Arguments after `--`, for the command of each workspace. */
  readonly more?: readonly string[];
}

/** Runs a command for every workspace of a fleet, and prints a summary. */
export async function fleet(command: FleetCommand, options: FleetOptions, given: Io): Promise<number> {
  const { parallel, more = [], failFast = false } = options;
  const io = options.quiet ? { ...given, quiet: true } : given;
  if (command === "up") requireYes(options.yes, "fleet up", io);
  const all = readFleet(options.file);
  refuseSharedObjects(all, io);
  const figures = figuresFile(options.file, options.figures);
  const { entries, shard } = chosenShard(chosen(all, options.only), options.shard, figures);
  let run: FleetRun = { command, more, parallel, failFast };
  if (command === "up" && !options.yes) {
    const refused = await refusedBefore(entries, run, io);
    if (refused !== undefined) return refused;
    // The preview has shown which stacks are new.
    run = { ...run, more: [...more, "--create-stack"] };
  }
  const results = await runFleet(entries, run, io);
  await writeFleet({ command, results, ...(shard ? { shard } : {}) }, options, io);
  // Shards that still have to start must divide the workspaces as this one did, so only fleet merge writes their figures.
  if (shard === undefined) await recordFigures(figures, results, io);
  return shard !== undefined && results.length === 0 ? exitCodes.ok : worstOf(results);
}

/** Previews all workspaces, and asks once. @returns the exit code when the user declines */
async function refusedBefore(
  entries: readonly FleetEntry[],
  run: FleetRun,
  io: Io,
): Promise<number | undefined> {
  const results = await runFleet(entries, { ...run, command: "preview", more: [] }, io);
  await writeFleet({ command: "preview", results }, {}, { ...io, stdout: io.stderr });
  if (worstOf(results) !== exitCodes.ok) {
    note(io, "Nothing was changed: not every workspace can be previewed. --only leaves some out.");
    return exitCodes.error;
  }
  if (await confirmed(`Carry this out in ${entries.length} workspaces?`, io)) return undefined;
  note(io, "Nothing was changed.");
  return exitCodes.declined;
}
