/** Runs a command for the workspaces of a fleet, and groups what their reports say. */
import type { Io } from "../../terminal/io.js";
import type { ViewData } from "../../reporters/view-data.js";
import type { FleetEntry } from "./fleet-file.js";
import type { FleetReport } from "./outcome.js";
import { runFleet, type FleetRun } from "./run-each-workspace.js";
import { buildReview } from "./review.js";

export async function runReview(
  entries: readonly FleetEntry[],
  run: FleetRun,
  io: Io,
): Promise<Required<Pick<FleetReport, "results" | "review">>> {
  const reports = new Map<string, ViewData>();
  const results = await runFleet(entries, { ...run, onReport: (name, data) => reports.set(name, data) }, io);
  const found = entries.flatMap(({ name }) => {
    const data = reports.get(name);
    return data === undefined ? [] : [{ name, data }];
  });
  return { results, review: buildReview(found) };
}
