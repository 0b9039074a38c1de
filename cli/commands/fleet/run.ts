/** Runs `workspacectl fleet`. */
import type { FleetCommand } from "./child.js";
import { readFleet, type FleetEntry } from "./file.js";
import { refuseSharedObjects } from "./owners.js";
import { runFleet, findWorst, type FleetRun } from "./processes.js";
import { checkPolicies } from "../../policies/policy-file/read.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import type { Format, FormatRequest } from "../../reporters/format-names.js";
import { note, type Io } from "../../terminal/io.js";
import { askConfirmation, requireYes } from "../../engine/stack/confirm.js";
import { locateFiguresFile, recordFigures } from "./figures.js";
import { countShares } from "./request-shares.js";
import { digestEntries, FleetProgress } from "./progress.js";
import { chooseExitCode, writeFleet, type FleetReport } from "./report.js";
import { runWaves, type WavesRun } from "./run-waves.js";
import type { Shard } from "./shards.js";
import { listInWave, type Wave } from "./waves.js";
import { chooseEntries, chooseShard } from "./selection.js";
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
  /** Policies for every workspace. */
  readonly policy?: readonly string[];
  readonly yes?: boolean;
  /** Name of the only wave to run. */
  readonly wave?: string;
  /** Continue the run that did not finish. */
  readonly resume?: boolean;
  /** Arguments after `--`, for the command of each workspace. */
  readonly more?: readonly string[];
}

/** Runs a command for every workspace of a fleet, and prints a summary. */
export async function runFleetCommand(
  command: FleetCommand,
  options: FleetOptions,
  given: Io,
): Promise<number> {
  const io = options.quiet ? { ...given, quiet: true } : given;
  if (command === "up") requireYes(options.yes, "fleet up", io);
  const part = readPart(command, options, io);
  if (command !== "drift") await checkPolicies({ policy: options.policy, ofFleet: part.fleetPolicy }, io);
  const { parallel, more = [], failFast = false } = options;
  const { policy: policies = [] } = options;
  const { fleetPolicy } = part;
  const run: FleetRun = { command, more, parallel, failFast, policies, fleetPolicy, shares: part.shares };
  if (command === "up") return await update(part, run, options, io);
  return await report(part, { command, results: await runFleet(part.entries, run, io) }, options, io);
}

/** The part of a fleet that a run works on. */
interface FleetPart extends Pick<WavesRun, "entries" | "waves" | "next"> {
  readonly shard: Shard | undefined;
  /** File with the figures of the last runs. */
  readonly figures: string;
  readonly shares: (entry: FleetEntry) => number;
  readonly fleetPolicy: string | undefined;
  /** What `up` applies, by workspace. */
  readonly digests: ReadonlyMap<string, string>;
}

/** @throws {CliError} when a selection names nothing, or shards would have to wait for each other */
function readPart(command: FleetCommand, options: FleetOptions, io: Io): FleetPart {
  const { entries: all, waves, policy: fleetPolicy } = readFleet(options.file);
  refuseSharedObjects(all, io.env);
  if (command === "up" && waves.length > 0 && options.shard !== undefined && options.wave === undefined)
    throw new CliError(
      "shards cannot wait for each other between waves",
      "run the shards of one wave at a time, with --wave NAME",
    );
  const figures = locateFiguresFile(options.file, options.figures);
  const selected = chooseEntries(all, options.only);
  const ofShard = (entries: readonly FleetEntry[]) => chooseShard(entries, options.shard, figures);
  const members = listInWave(selected, waves, options.wave);
  const { entries, shard } = ofShard(members);
  return {
    ...{ entries, shard, waves, figures, fleetPolicy, shares: countShares(members, shard, options.parallel) },
    digests: command === "up" ? digestEntries(entries, io.env) : new Map(),
    // Each shard checks the plans of its part of the next wave.
    next: (names) => ofShard(selected.filter(({ name }) => names.includes(name))).entries,
  };
}

/** Runs `up` wave by wave, and keeps a record by which the run can be resumed. */
async function update(part: FleetPart, given: FleetRun, options: FleetOptions, io: Io): Promise<number> {
  const progress = FleetProgress.open(options.file, part.digests, options, io);
  let run = given;
  if (!options.yes) {
    const left = part.entries.filter((entry) => !progress.isDone(entry));
    const refused = left.length === 0 ? undefined : await checkBefore(left, run, part.waves, io);
    if (refused !== undefined) return refused;
    // The preview has shown which stacks are new.
    run = { ...run, more: [...run.more, "--create-stack"] };
  }
  const { results, gates } = await runWaves({ ...part, run, progress, fleetFile: options.file }, io);
  const ended = { command: run.command, results, ...(gates.length > 0 ? { gates } : {}) };
  const exitCode = await report(part, ended, options, io);
  if (exitCode !== exitCodes.ok && progress.canResume)
    note(io, "To continue without repeating what is done, add --resume.");
  // The workspaces that --only has skipped may still have to be resumed.
  if (exitCode === exitCodes.ok && !(options.resume && options.only !== undefined)) progress.finish();
  return exitCode;
}

/** Writes the report of a run and the figures for the next one. @returns the exit code */
async function report(
  { shard, waves, figures }: FleetPart,
  ended: Pick<FleetReport, "command" | "results" | "gates">,
  options: FleetOptions,
  io: Io,
): Promise<number> {
  const whole = { ...ended, waves, ...(shard ? { shard } : {}) };
  await writeFleet(whole, options, io);
  // Shards that still have to start must divide the workspaces as this one did, so only fleet merge writes their figures.
  if (shard === undefined) recordFigures(figures, ended.results, io);
  return shard !== undefined && ended.results.length === 0 ? exitCodes.ok : chooseExitCode(whole);
}

/** Previews all workspaces, and asks once. @returns the exit code when the user declines */
async function checkBefore(
  entries: readonly FleetEntry[],
  run: FleetRun,
  waves: readonly Wave[],
  io: Io,
): Promise<number | undefined> {
  const results = await runFleet(entries, { ...run, command: "preview", more: [] }, io);
  await writeFleet({ command: "preview", results, waves }, {}, { ...io, stdout: io.stderr });
  if (findWorst(results) !== exitCodes.ok) {
    note(
      io,
      "Nothing was changed: not every workspace can be previewed. --only limits the run to those that can.",
    );
    return exitCodes.error;
  }
  if (await askConfirmation(`Apply this in ${entries.length} workspaces?`, io)) return undefined;
  note(io, "Nothing was changed.");
  return exitCodes.declined;
}
