/** Runs `workspacectl fleet`. */
import { AutomationError } from "../../../automation/errors.js";
import { checkPolicies } from "../../../automation/policy/policy-file/read.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { preparePulumi } from "../../../automation/stack/pulumi-project.js";
import { readRequestLimits } from "../../../provider/index.js";
import type { Io } from "../../../reports/io.js";
import { DEFAULT_FLEET_FILE } from "../../options/document.js";
import { askConfirmation, requireYes } from "../../terminal/answers.js";
import { refuseSharedObjects } from "./entry-files.js";
import type { FleetOptions } from "./fleet-command.js";
import { type Fleet, type FleetEntry, readFleet } from "./fleet-file.js";
import { type Shard, writeFleet } from "./fleet-report.js";
import { findChangedEntries, withRevisions } from "./git.js";
import { notifyOwners } from "./notify-owners.js";
import { chooseExitCode, type FleetReport, listFingerprints, runReview } from "./outcome.js";
import { digestEntries, FleetProgress } from "./progress.js";
import { checkFleetBudget, countShares } from "./requests.js";
import { findWorst, FleetInterruption, type FleetRun } from "./run-each-workspace.js";
import { runWaves, type WavesRun } from "./run-waves.js";
import { readApprovedPlans, requireApprovedFleet } from "./saved-reports.js";
import {
  chooseEntries,
  chooseEntry,
  chooseOwned,
  chooseShard,
  locateFiguresFile,
  readFigures,
  recordFigures,
} from "./shards.js";
import { listInWave } from "./waves.js";
import { type FleetCommand, isOffline, listPreviewArguments } from "./workspace-command.js";

/** Runs a command for every workspace of a fleet, and prints a summary. */
export async function runFleetCommand(
  command: FleetCommand,
  options: FleetOptions,
  given: Io,
): Promise<number> {
  const io = options.quiet ? { ...given, quiet: true } : given;
  if (command === "up") requireYes(options.yes, "fleet up", io);
  return await withRevisions(readFleet(options.file), options.file, io, (fleet) =>
    runFor(fleet, command, options, io),
  );
}

async function runFor(fleet: Fleet, command: FleetCommand, options: FleetOptions, io: Io): Promise<number> {
  const part = { ...(await readPart(fleet, command, options, io)), began: Date.now() };
  const ofFleet = [part.fleetPolicy, ...part.entries.map(({ policy }) => policy)];
  if (command !== "drift")
    await checkPolicies(
      { policy: options.policy, ofFleet: ofFleet.filter((path) => path !== undefined) },
      io,
    );
  const { parallel, more = [], failFast = false } = options;
  const { policy: policies = [] } = options;
  const { fleetPolicy } = part;
  const { wait = false } = options;
  if (!isOffline(command) && command !== "compare") {
    await preparePulumi(io);
    const figures = readFigures(part.figures);
    await checkFleetBudget(part.entries, { refuses: command === "up", wait, figures }, io);
  }
  const run: FleetRun = {
    command,
    more: wait ? [...more, "--wait"] : more,
    parallel,
    failFast,
    policies,
    fleetPolicy,
    shares: part.shares,
    words: options,
    interruption: new FleetInterruption(),
  };
  if (command === "up") return await update(part, run, options, io);
  const { entries, left } = part;
  const others = entries.filter(({ name }) => name !== left?.name);
  const ended = { command, ...(await runReview(others, { ...run, left }, io)) };
  const exitCode = await report(part, ended, options, io);
  if (command !== "drift" || (await notifyOwners(entries, ended, options.stateFile, io))) return exitCode;
  return findWorst([{ exitCode }, { exitCode: exitCodes.error }]);
}

/** The part of a fleet that a run works on. */
interface FleetPart extends Pick<WavesRun, "entries" | "waves" | "next"> {
  /** When the run began. */
  readonly began: number;
  readonly shard: Shard | undefined;
  /** File with the figures of the last runs. */
  readonly figures: string;
  readonly shares: (entry: FleetEntry) => number;
  readonly fleetPolicy: string | undefined;
  /** The workspace with which the others are compared. */
  readonly left: FleetEntry | undefined;
  /** Entries that the fleet file no longer has, with --changed-since. */
  readonly removed: FleetReport["removed"];
  /** The fingerprints of approved plans, by workspace. */
  readonly plans: ReadonlyMap<string, string> | undefined;
  /** What `up` applies, by workspace. */
  readonly digests: ReturnType<typeof digestEntries>;
}

/** @throws {AutomationError} when a selection names nothing, or shards would have to wait for each other */
async function readPart(
  fleet: Fleet,
  command: FleetCommand,
  options: FleetOptions,
  io: Io,
): Promise<Omit<FleetPart, "began">> {
  const { entries: all, waves, policy: fleetPolicy } = fleet;
  refuseSharedObjects(all, io.env);
  if (command === "up" && waves.length > 0 && options.shard !== undefined && options.wave === undefined)
    throw new AutomationError(
      "--shard and waves cannot be used together, because machines do not wait for each other between waves",
      "add --wave NAME, and run the shards of one wave after those of another",
    );
  const figures = locateFiguresFile(options.file, options.figures);
  const changed =
    options.changedSince === undefined
      ? undefined
      : await findChangedEntries(options.file, fleet, options.changedSince, options.more ?? [], io);
  const isAffected = new Set((changed?.entries ?? all).map(({ name }) => name));
  const selected = chooseOwned(chooseEntries(all, options.only), options.owner).filter(({ name }) =>
    isAffected.has(name),
  );
  const ofShard = (entries: readonly FleetEntry[]) => chooseShard(entries, options.shard, figures);
  const members = listInWave(selected, waves, options.wave);
  const plans =
    options.plan === undefined ? undefined : readApprovedPlans(options.plan, options.approved, all);
  const left = options.with === undefined ? undefined : chooseEntry(all, options.with);
  if (left !== undefined && all.length === 1)
    throw new AutomationError(
      `the fleet has no workspace besides ${left.name}`,
      'use "workspacectl compare" to compare it with a file or a connection',
    );
  const { entries, shard } = ofShard(members.filter(({ name }) => plans?.has(name) !== false));
  return {
    entries,
    shard,
    waves,
    figures,
    fleetPolicy,
    removed: changed?.removed,
    left,
    plans,
    shares: countShares(members, shard, options.parallel * countMachines(options, io)),
    digests: digestEntries(members, io.env),
    // Each shard checks the plans of its part of the next wave.
    next: (names) => ofShard(selected.filter(({ name }) => names.includes(name))).entries,
  };
}

/** The machines of a shared run do not know of each other, so their environment says how many there are at a time. */
function countMachines({ run }: FleetOptions, { env }: Io): number {
  return run === undefined ? 1 : (readRequestLimits(env).shares ?? 1);
}

/** Runs `up` wave by wave, and keeps a record by which the run can be resumed. */
async function update(part: FleetPart, given: FleetRun, options: FleetOptions, io: Io): Promise<number> {
  const progress = await FleetProgress.open(options.file, part.digests, options, io);
  const left = part.entries.filter((entry) => !progress.isDone(entry));
  const checked = await confirmPlans(left, part, given, options, io);
  if (typeof checked === "number") return checked;
  const run = { ...given, approved: checked };
  const { results, gates } = await runWaves({ ...part, run, progress, fleetFile: options.file }, io);
  await progress.settle();
  const ended = { command: run.command, results, ...(gates.length > 0 ? { gates } : {}) };
  const exitCode = await report(part, ended, options, io);
  if (exitCode !== exitCodes.ok && progress.canResume)
    note(io, "To continue without repeating what is done, add --resume.");
  // The workspaces that --only and --owner have skipped may still have to be resumed.
  if (exitCode === exitCodes.ok && !(options.resume && (options.only ?? options.owner) !== undefined))
    await progress.finish();
  return exitCode;
}

/** Writes the report of a run and the figures for the next one. @returns the exit code */
async function report(
  { began, shard, waves, figures, removed, plans }: FleetPart,
  ended: Pick<FleetReport, "command" | "results" | "gates" | "review">,
  options: FleetOptions,
  io: Io,
): Promise<number> {
  const facts = { ...(shard ? { shard } : {}), ...(removed ? { removed } : {}) };
  const seconds = measureSeconds(began);
  const whole = { ...ended, waves, ...facts, seconds, again: listOptionsAgain(options) };
  await writeFleet(whole, options, io);
  // Shards that still have to start must divide the workspaces as this one did, so only fleet merge writes their figures.
  if (shard === undefined && options.run === undefined) recordFigures(figures, ended.results, io);
  const mayBeNothing = shard !== undefined || removed !== undefined || plans !== undefined;
  return mayBeNothing && ended.results.length === 0 ? exitCodes.ok : chooseExitCode(whole);
}

/** Rounded as in the reports of workspaces. */
function measureSeconds(began: number): number {
  return Math.round((Date.now() - began) / 100) / 10;
}

/**
 * Makes sure that the plans are approved: by their fingerprint, or by an answer after a preview of all workspaces.
 * @returns the fingerprint of the only plan to apply in each workspace, or the exit code when nothing may be applied
 * @throws {AutomationError} when the plans are others than the approved ones
 */
async function confirmPlans(
  entries: readonly FleetEntry[],
  { plans, waves, began }: FleetPart,
  run: FleetRun,
  options: FleetOptions,
  io: Io,
): Promise<ReadonlyMap<string, string> | number | undefined> {
  const { approved, yes = false } = options;
  if (entries.length === 0 || (yes && (plans !== undefined || approved === undefined))) return plans;
  let only = plans;
  if (only === undefined) {
    const planned = { ...run, command: "preview" as const, more: listPreviewArguments(run.more) };
    const found = await runReview(entries, planned, io);
    const again = listOptionsAgain(options);
    const preview = { command: "preview" as const, ...found, waves, again, seconds: measureSeconds(began) };
    await writeFleet(preview, {}, { ...io, stdout: io.stderr });
    if (findWorst(preview.results) !== exitCodes.ok) {
      note(io, "Nothing was changed: a workspace cannot be updated. --only limits the run to the others.");
      return exitCodes.error;
    }
    // Also where nothing was to be done: it must be so still.
    only =
      approved === undefined ? listFingerprints(preview.results) : requireApprovedFleet(approved, preview);
  }
  if (yes || (await askConfirmation(`Apply this in ${entries.length} workspaces?`, io))) return only;
  note(io, "Nothing was changed.");
  return exitCodes.declined;
}

/** Returns the options with which `fleet up` applies what was previewed. A report that was saved contains the plans, so they can be continued. */
function listOptionsAgain(options: FleetOptions): NonNullable<FleetReport["again"]> {
  const { file, only = [], owner = [], policy = [], allowEnv = [], more = [], format = [] } = options;
  const { shard, changedSince, plan } = options;
  const saved = plan ?? format.find((one) => one.format === "json")?.file;
  const each = (flag: string, values: readonly (string | undefined)[]) =>
    values.flatMap((value) => (value === undefined ? [] : [flag, value]));
  const args = [
    ...(file === DEFAULT_FLEET_FILE ? [] : [file]),
    ...each("--only", only),
    ...each("--owner", owner),
    // The plans of a part of the fleet are in the report of all parts.
    ...(shard === undefined ? each("--plan", [saved]) : each("--shard", [`${shard.index}/${shard.count}`])),
    ...(saved === undefined || shard !== undefined ? each("--changed-since", [changedSince]) : []),
    ...each("--policy", policy),
    ...each("--allow-env", allowEnv),
  ];
  return { args, more };
}
