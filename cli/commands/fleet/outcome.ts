/** What a run of a fleet ends with: its results, its exit code, and the fingerprint of its plans. */
import { setFingerprint } from "../../../diff/fingerprint.js";
import { exitCodes } from "../../errors.js";
import type { FleetCommand } from "./child-process.js";
import type { FleetEntry } from "./fleet-file.js";
import type { GateResult } from "./run-waves.js";
import { findWorst } from "./run-each-workspace.js";
import type { FleetResult } from "./result.js";
import type { Review } from "./review.js";
import type { Shard } from "./shards.js";
import type { Wave } from "./waves.js";

export interface FleetReport {
  readonly command: FleetCommand;
  readonly results: readonly FleetResult[];
  readonly shard?: Shard;
  /** The waves of the fleet file. */
  readonly waves?: readonly Wave[];
  /** The gates that were checked. */
  readonly gates?: readonly GateResult[];
  /** What a preview or drift has found. */
  readonly review?: Review;
  /** Entries that the fleet file no longer has. */
  readonly removed?: readonly Pick<FleetEntry, "name" | "file" | "stack">[] | undefined;
  /** The options that `fleet up` needs as well. */
  readonly again?: readonly string[];
}

/** Returns the exit code of the run: that of the worst workspace, or an error when a gate is closed. */
export function chooseExitCode(report: FleetReport): number {
  const closed = listClosedGates(report).map(() => ({ exitCode: exitCodes.error }));
  return findWorst([...report.results, ...closed]);
}

export function listClosedGates({ gates = [] }: FleetReport): readonly GateResult[] {
  return gates.filter(({ result }) => result === "closed");
}

type Planned = Pick<FleetResult, "name" | "plan" | "fingerprint">;

/**
 * Returns one fingerprint over the fingerprints of all plans that do something: an approval is for operations, and a workspace without
 * any adds none. Undefined if a workspace could not be planned.
 */
export function computeFleetFingerprint({
  command,
  results,
}: {
  readonly command: FleetCommand;
  readonly results: readonly Planned[];
}): string | undefined {
  if (command !== "preview" || results.some(({ fingerprint }) => fingerprint === undefined)) return undefined;
  const plans = results.filter(({ plan }) => plan !== "nothing");
  return setFingerprint(
    plans.map(({ name, fingerprint }) => [name, fingerprint]),
    [["fleet", 1]],
  );
}
