/** Runs `fleet up` wave by wave, and checks what must hold before the next one. A wave or gate that fails stops the others. */
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { handleSignals } from "../../../recovery/signals.js";
import type { Io } from "../../../reports/io.js";
import { startShell } from "../../../trust/start-program.js";
import { parseDuration } from "../../options/option-values.js";
import type { FleetEntry } from "./fleet-file.js";
import type { GateResult } from "./fleet-report.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import { createDone, createNotStarted, findWorst, type FleetRun, runFleet } from "./run-each-workspace.js";
import { runTogether } from "./shared-run.js";
import type { Wave } from "./waves.js";
import { listPreviewArguments } from "./workspace-command.js";

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
  refuseUnsetGates({ entries, waves, progress }, io);
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
    const gate = await checkGate(wave, members, following, run, dirname(fleetFile), io);
    gates.push(gate);
    if (gate.result === "open") progress.passed(wave.name, names);
    else stopped = `the gate of wave ${wave.name} is closed`;
  }
  return { results, gates };
}

/**
 * Makes sure that the commands of all gates of a run are set, before a canary is changed for a rollout that cannot continue.
 * @throws {AutomationError} otherwise
 */
function refuseUnsetGates(
  { entries, waves, progress }: Pick<WavesRun, "entries" | "waves" | "progress">,
  { env }: Pick<Io, "env">,
): void {
  const missing = waves.flatMap(({ name, gate, workspaces }) => {
    const members = entries.filter((entry) => workspaces.includes(entry.name)).map((entry) => entry.name);
    if (members.length === 0 || progress.hasPassed(name, members)) return [];
    const variable = gate?.command === undefined ? undefined : buildVariableName(gate.command);
    return variable === undefined || env[variable] ? [] : [`the gate of wave ${name} needs ${variable}`];
  });
  if (missing.length === 0) return;
  throw new AutomationError(
    `${missing.join(", and ")}: it is not set, nothing was changed`,
    "set it to the shell command that the gate runs",
  );
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

/**
 * Checks the conditions of a gate in turn, and stops at the first that does not hold.
 * @param done workspaces of the wave
 * @param next workspaces of the next wave
 */
async function checkGate(
  wave: Wave,
  done: readonly FleetEntry[],
  next: readonly FleetEntry[],
  run: FleetRun,
  folder: string,
  io: Io,
): Promise<GateResult> {
  const { drift, guards, command, timeout = "10m" } = wave.gate ?? {};
  const checked = (entries: readonly FleetEntry[], other: Pick<FleetRun, "command" | "more">) =>
    runFleet(entries, { ...run, onResult: undefined, approved: undefined, ...other }, io);
  const closed = (summary: string): GateResult => ({ wave: wave.name, result: "closed", summary });
  note(io, `Gate of wave ${wave.name}:`);
  if (drift !== undefined) {
    const failed = summarizeNotOk(await checked(done, { command: "drift", more: [] }));
    if (failed.length > 0) return closed(`drift is not clean: ${formatSummaries(failed)}`);
  }
  if (guards !== undefined) {
    const more = ["--strict-guards", ...listPreviewArguments(run.more)];
    const failed = summarizeNotOk(await checked(next, { command: "preview", more }));
    if (failed.length > 0) return closed(`the next wave cannot be applied: ${formatSummaries(failed)}`);
  }
  if (command !== undefined) {
    const variable = buildVariableName(command);
    const problem = await runCommand(io.env[variable] ?? "", parseDuration(timeout), wave, folder, io);
    if (problem !== undefined) return closed(`${command} ${problem}`);
  }
  return { wave: wave.name, result: "open", summary: "all conditions hold" };
}

/** The variable that contains a command. A fleet file names it only, because the author of a change can edit the file. */
function buildVariableName(name: string): string {
  return `WORKSPACE_AUTOMATION_GATE_${name.toUpperCase().replaceAll("-", "_")}`;
}

function summarizeNotOk(results: readonly FleetResult[]): FleetResult[] {
  return results.filter(({ result }) => result !== "ok");
}

function formatSummaries(results: readonly FleetResult[]): string {
  return results.map(({ name, summary }) => `${name} (${summary})`).join(", ");
}

/** Runs the user's command, and shows its output. @returns what went wrong */
async function runCommand(
  command: string,
  limit: number,
  { name, workspaces }: Wave,
  folder: string,
  io: Io,
): Promise<string | undefined> {
  const env = { ...io.env, FLEET_WAVE: name, FLEET_WORKSPACES: workspaces.join(" ") };
  const child = startShell(
    command,
    { cwd: folder, env },
    {
      stdin: "ignore",
      all: true,
      buffer: false,
      // A group of its own, so that it can be ended together with what the shell has started.
      detached: true,
    },
  );
  let isLate = false;
  const end = () => endGroup(child);
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limit);
  const endListening = handleSignals(end);
  createInterface({ input: child.all }).on("line", (line) =>
    note(io, `${io.colors.dim(`gate of ${name} |`)} ${line}`),
  );
  try {
    const { failed, exitCode, signal } = await child;
    if (isLate) return `did not end within ${limit / 1000} s`;
    if (!failed) return undefined;
    return exitCode === undefined
      ? `was ended by ${signal ?? "a failed start"}`
      : `ended with exit code ${exitCode}`;
  } finally {
    clearTimeout(timer);
    endListening();
  }
}

function endGroup(child: { readonly pid?: number; readonly kill: () => boolean }): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has just ended, or the system has no process groups.
    child.kill();
  }
}
