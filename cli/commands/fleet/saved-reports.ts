/** Reads the reports that runs of a fleet have saved: makes one of those of all shards, and takes the approved plans from that of a preview. */
import type { z } from "zod";
import { readJsonFile } from "../../../automation/config-files/checked-files.js";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { isSameJson } from "../../../diff/values.js";
import type { Io } from "../../../reports/io.js";
import type { MergeOptions } from "./fleet-command.js";
import type { FleetEntry } from "./fleet-file.js";
import { fleetReportSchema, writeFleet } from "./fleet-report.js";
import {
  chooseExitCode,
  computeFleetFingerprint,
  type FleetReport,
  listFingerprints,
  listPlans,
  mergeReviews,
} from "./outcome.js";
import type { FleetResult } from "./result.js";
import { recordFigures } from "./shards.js";

type ShardReport = z.infer<typeof fleetReportSchema> & { readonly source: string };

/** Writes one report. A workspace without a report is an error, because a lost shard must not look like a good one. */
export async function mergeReports(options: MergeOptions, io: Io): Promise<number> {
  const reports = options.reports.map(readShardReport);
  const [first, ...others] = reports;
  if (first === undefined)
    throw new AutomationError(
      "no report was passed to merge",
      "pass the files that the shards wrote with --format json=FILE",
    );
  for (const other of others) refuseOtherRun(first, other);
  refuseTwice(reports);
  const results = reports.flatMap(({ workspaces }) => workspaces);
  const all = [...results, ...createMissingResult(first, results)];
  const order = Object.keys(first.shard?.of ?? {});
  const sorted = all.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  const gates = reports.flatMap((report) => report.gates ?? []);
  const reviews = reports.flatMap(({ groups = [], notes = [] }) => ({ groups, notes }));
  const seconds = reports.map((one) => one.seconds).filter((one) => one !== undefined);
  const merged = {
    command: first.command,
    results: sorted,
    ...(gates.length > 0 ? { gates } : {}),
    ...(seconds.length > 0 ? { seconds: Math.max(...seconds) } : {}),
    ...(first.command === "up" ? {} : { review: mergeReviews(reviews) }),
  };
  await writeFleet(merged, options, io);
  if (options.figures !== undefined) recordFigures(options.figures, sorted, io);
  return chooseExitCode(merged);
}

/** @throws {AutomationError} when the file is another one */
function readShardReport(source: string): ShardReport {
  const report = readJsonFile(fleetReportSchema, source, {
    what: "a report of workspacectl fleet",
    remedy: "pass the file that each shard wrote with --format json=FILE",
  });
  return { ...report, source };
}

/** Shards that were divided differently may have skipped workspaces, or run them twice. */
function refuseOtherRun(first: ShardReport, other: ShardReport): void {
  if (first.command !== other.command)
    throw new AutomationError(
      `${first.source} is a report of ${first.command}, ${other.source} one of ${other.command}`,
      "merge only reports of the same command",
    );
  const [one, two] = [first.shard, other.shard];
  if (one?.count !== two?.count || !isSameJson(one?.of ?? null, two?.of ?? null))
    throw new AutomationError(
      `${first.source} and ${other.source} split the workspaces into different shards`,
      "run all shards again, with the same fleet file, --only and --figures",
    );
}

function refuseTwice(reports: readonly ShardReport[]): void {
  const seen = new Map<string, string>();
  for (const { workspaces, source } of reports)
    for (const { name } of workspaces) {
      const before = seen.get(name);
      if (before !== undefined)
        throw new AutomationError(
          `the workspace ${name} is in the reports ${before} and ${source}`,
          "pass each report only once",
        );
      seen.set(name, source);
    }
}

/** Returns the workspaces of the shards whose report was not given. */
function createMissingResult({ shard }: ShardReport, results: readonly FleetResult[]): FleetResult[] {
  if (shard === undefined) return [];
  const reported = new Set(results.map(({ name }) => name));
  return Object.entries(shard.of)
    .filter(([name]) => !reported.has(name))
    .map(([name, index]) => ({
      name,
      file: "",
      stack: "",
      result: "error" as const,
      exitCode: exitCodes.error,
      summary: `there is no report of shard ${index}/${shard.count}`,
    }));
}

const AGAIN =
  'create a new report with "workspacectl fleet preview --format json=FILE", and have it approved again';

/**
 * Reads the plans of a preview's report, for a run of all or some of its workspaces. One in which nothing was to be done is not run.
 * @throws {AutomationError} when it is another report than the approved one, or is for other workspaces
 */
export function readApprovedPlans(
  file: string,
  approved: string | undefined,
  entries: readonly FleetEntry[],
): ReadonlyMap<string, string> {
  const report = readShardReport(file);
  refuseTwice([report]);
  const { command, workspaces: results, shard } = report;
  if (command !== "preview")
    throw new AutomationError(`${file} is a report of fleet ${command}, not of fleet preview`, AGAIN);
  if (shard !== undefined)
    throw new AutomationError(
      `${file} is the report of shard ${shard.index}/${shard.count} only`,
      "pass the report that workspacectl fleet merge makes of all shards",
    );
  const [plans, fingerprint] = [listPlans(results), computeFleetFingerprint({ command, results })];
  const failed = results.filter((one) => one.fingerprint === undefined).map(({ name }) => name);
  if (plans === undefined)
    throw new AutomationError(
      `${file} contains no plan for ${failed.length === 1 ? "the workspace" : "the workspaces"} ${failed.join(", ")}`,
      AGAIN,
    );
  if (approved !== undefined && fingerprint !== approved)
    throw new AutomationError(
      `${file} does not contain the approved plans, nothing was changed: it has the fingerprint ${fingerprint ?? "of none"}, and ${approved} is approved`,
      "pass the report of the preview that was approved",
    );
  const known = new Set(entries.map(({ name }) => name));
  const gone = [...plans.keys()].filter((name) => !known.has(name));
  if (gone.length > 0)
    throw new AutomationError(
      `${file} contains plans for ${gone.join(", ")}, which the fleet file does not have: nothing was changed`,
      AGAIN,
    );
  return plans;
}

/**
 * Returns the approved fingerprint of each workspace. The preview that was approved may have lacked secrets that this run has.
 * A fleet in which nothing is left to do needs no approval.
 * @throws {AutomationError} when the plans are others than the approved ones
 */
export function requireApprovedFleet(
  approved: string,
  preview: Pick<FleetReport, "command" | "results">,
): ReadonlyMap<string, string> {
  const fingerprint = computeFleetFingerprint(preview);
  if (fingerprint === approved || listPlans(preview.results)?.size === 0)
    return listFingerprints(preview.results);
  if (computeFleetFingerprint(preview, true) === approved) return listFingerprints(preview.results, true);
  throw new AutomationError(
    `these are not the approved plans, nothing was changed: ${approved} is approved, and these plans are ${fingerprint ?? "incomplete"}`,
    [
      "If the plans shown above are right, ask for a new approval.",
      "To apply what is left of the approved plans, such as after a failure, pass the report of the approved preview: --plan FILE",
    ].join("\n"),
    { code: "other-plan" },
  );
}
