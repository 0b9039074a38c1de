/** Runs `fleet up` wave by wave. A wave or gate that fails stops the next ones. */
import { dirname } from "node:path";
import { exitCodes } from "../../exit-codes.js";
import { note, type Io } from "../../terminal/io.js";
import type { FleetEntry } from "./fleet-file.js";
import { checkGate, type GateResult } from "./wave-gate.js";
import { createDone, createNotStarted, runFleet, findWorst, type FleetRun } from "./run-each-workspace.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import { runTogether } from "./shared-run.js";
import type { Wave } from "./waves.js";

export interface WavesRun {
  readonly entries: readonly FleetEntry[];
  readonly waves: readonly Wave[];
  readonly run: FleetRun;
  readonly progress: FleetProgress;
  /** Selects the workspaces of the next wave whose plans the gate checks. */
  readonly next: (names: readonly string[]) => readonly FleetEntry[];
  readonly fleetFile: string;
}

/**
 * Runs the waves one after the other. A fleet without waves is a single one.
 * @returns the results in the order of the waves, and those of the gates that were checked
 */
export async function runWaves(
  { entries, waves, run, progress, next, fleetFile }: WavesRun,
  io: Io,
): Promise<{ readonly results: FleetResult[]; readonly gates: GateResult[] }> {
  const results: FleetResult[] = [];
  const gates: GateResult[] = [];
  if (waves.length === 0) return { results: await runUnfinished(entries, run, progress, io), gates };
  let stopped: string | undefined;
  for (const [index, wave] of waves.entries()) {
    const members = entries.filter(({ name }) => wave.workspaces.includes(name));
    if (members.length === 0) continue;
    if (stopped !== undefined) {
      const reason = `not started: ${stopped}`;
      results.push(...members.map((entry) => createNotStarted(entry, reason, run.interruption?.exitCode)));
      continue;
    }
    const names = members.map(({ name }) => name);
    note(io, `Wave ${wave.name}: ${names.join(", ")}`);
    const now = await runUnfinished(members, run, progress, io);
    results.push(...now);
    if (run.interruption?.isInterrupted) stopped = "the run was interrupted";
    else if (findWorst(now) !== exitCodes.ok) stopped = `wave ${wave.name} failed`;
    if (stopped !== undefined || wave.gate === undefined || progress.hasPassed(wave.name, names)) continue;
    const following = next(waves[index + 1]?.workspaces ?? []);
    const gate = await checkGate(
      wave,
      { done: members, next: following, run, folder: dirname(fleetFile) },
      io,
    );
    gates.push(gate);
    if (gate.result === "open") progress.passed(wave.name, names);
    else stopped = `the gate of wave ${wave.name} is closed`;
  }
  return { results, gates };
}

/** Runs the command for the workspaces that the record does not name, and records each that succeeds. */
async function runUnfinished(
  entries: readonly FleetEntry[],
  run: FleetRun,
  progress: FleetProgress,
  io: Io,
): Promise<FleetResult[]> {
  if (progress.isShared) return await runTogether(entries, { progress, run }, io);
  const left = entries.filter((entry) => !progress.isDone(entry));
  const results = left.length === 0 ? [] : await runFleet(left, { ...run, onResult: progress.record }, io);
  const now = new Map(results.map((one) => [one.name, one]));
  return entries.map((entry) => now.get(entry.name) ?? createDone(entry));
}
