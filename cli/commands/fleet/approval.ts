/** Applies only plans that somebody has approved, by one fingerprint over the plans of all workspaces. */
import { CliError } from "../../errors.js";
import { readShardReport } from "./merge.js";
import { computeFleetFingerprint, type FleetReport } from "./outcome.js";
import type { FleetEntry } from "./fleet-file.js";
import type { FleetResult } from "./result.js";

const AGAIN =
  'create a new report with "workspacectl fleet preview --format json=FILE", and have it approved';

/** Returns the fingerprint of the plan of each workspace. */
export function listPlans(
  results: readonly Pick<FleetResult, "name" | "fingerprint">[],
): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap(({ name, fingerprint }) => (fingerprint === undefined ? [] : [[name, fingerprint]])),
  );
}

/**
 * Reads the plans of a preview's report, for a run of all or some of its workspaces.
 * @throws {CliError} when it is another report than the approved one, or is for other workspaces
 */
export function readApprovedPlans(
  file: string,
  approved: string | undefined,
  entries: readonly FleetEntry[],
): ReadonlyMap<string, string> {
  const { command, workspaces: results, shard } = readShardReport(file);
  if (command !== "preview")
    throw new CliError(`${file} is a report of fleet ${command}, not of fleet preview`, AGAIN);
  if (shard !== undefined)
    throw new CliError(
      `${file} is the report of shard ${shard.index}/${shard.count} only`,
      "pass the report that workspacectl fleet merge makes of all shards",
    );
  const fingerprint = computeFleetFingerprint({ command, results });
  const failed = results.filter((one) => one.fingerprint === undefined).map(({ name }) => name);
  if (fingerprint === undefined)
    throw new CliError(`${file} contains no plan for ${failed.join(", ")}`, AGAIN);
  if (approved !== undefined && fingerprint !== approved)
    throw new CliError(
      `${file} does not contain the approved plans, nothing was changed: it has the fingerprint ${fingerprint}, and ${approved} is approved`,
      "pass the report of the preview that was approved",
    );
  const known = new Set(entries.map(({ name }) => name));
  const gone = results.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (gone.length > 0)
    throw new CliError(
      `${file} contains plans for ${gone.join(", ")}, which the fleet file does not have: nothing was changed`,
      AGAIN,
    );
  return listPlans(results);
}

/** @throws {CliError} when the plans are others than the approved ones */
export function refuseUnapprovedFleet(
  approved: string,
  preview: Pick<FleetReport, "command" | "results">,
): void {
  const fingerprint = computeFleetFingerprint(preview);
  if (fingerprint === approved) return;
  throw new CliError(
    `these are not the approved plans, nothing was changed: ${approved} is approved, and these plans are ${fingerprint ?? "incomplete"}`,
    [
      "If the plans shown above are right, ask for a new approval.",
      "To apply those of the approved plans that still hold, pass the report of the approved preview: --plan FILE",
    ].join("\n"),
  );
}
