/** Defines the failures that can hit a run, and causes them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../emulator/index.js";
import { catchUp } from "../services/chosen-service.js";
import { alive, type Process, signal, tree } from "./processes.js";
import type { Random } from "./random.js";
import type { Stage, Tool } from "./stage.js";

type Victim = "engine" | "provider" | "cli" | "all";

export type Disaster = Kill | Interrupt | { readonly kind: "fault"; readonly fault: Fault };

interface Kill {
  readonly kind: "kill";
  readonly victim: Victim;
  readonly afterWrites: number;
  readonly delayMs: number;
  /** While the state is written at the end of a run with a journal. */
  readonly whileSaving?: boolean;
}

interface Interrupt {
  readonly kind: "interrupt";
  readonly signal: "SIGINT" | "SIGTERM";
  /** Whether the signal is sent to the process group, as Ctrl-C does, or to the command only. */
  readonly group: boolean;
  readonly times: 1 | 2;
  readonly afterWrites: number;
}

const FAULTS: readonly Fault["kind"][] = [
  "reset-after",
  "reset-before",
  "status",
  "garbage",
  "truncated",
  "delay",
];

/** @param index number of the run: the kinds of failure alternate, so that a few runs cover them all */
export function randomDisaster(random: Random, index: number, tool: Tool, writes: number): Disaster {
  const afterWrites = random.below(writes);
  const turn = index % 4;
  if (turn === 3) return { kind: "fault", fault: randomFault(random, index >> 2, writes) };
  if (turn === 2 && random.chance(0.6)) {
    const signal = random.chance(0.25) ? "SIGTERM" : "SIGINT";
    const times = random.chance(0.4) ? 2 : 1;
    return { kind: "interrupt", signal, group: random.chance(0.5), times, afterWrites: afterWrites + 1 };
  }
  // workspacectl hosts the provider itself.
  const victims: Victim[] = ["engine", "all", tool === "pulumi" ? "provider" : "cli"];
  return { kind: "kill", victim: random.pick(victims), afterWrites, delayMs: random.below(40) };
}

/** A kill of a run with a journal; some strike while Pulumi writes the state at the end. */
export function randomKill(random: Random, writes: number): Kill {
  const whileSaving = random.chance(0.25);
  const victim = random.pick<Victim>(["engine", "all", "all", "cli"]);
  const delayMs = random.below(whileSaving ? 80 : 40);
  return { kind: "kill", victim, afterWrites: random.below(writes), delayMs, whileSaving };
}

function randomFault(random: Random, turn: number, writes: number): Fault {
  const method = random.pick(["POST", "POST", "POST", "PATCH", "GET", undefined]);
  return {
    kind: FAULTS[turn % FAULTS.length] ?? "status",
    method,
    skip: random.below(Math.max(1, Math.floor(writes * (method === "POST" ? 0.8 : 0.3)))),
    count: random.between(1, 3),
    status: random.pick([500, 502, 503, 504]),
    delayMs: 400,
  };
}

export function told(disaster: Disaster): string {
  if (disaster.kind === "fault") {
    const { kind, method = "any", skip, count, status } = disaster.fault;
    return `${kind}${kind === "status" ? ` ${status}` : ""} on ${count} ${method} after ${skip}`;
  }
  const what =
    disaster.kind === "kill"
      ? `kill -9 ${disaster.victim}`
      : `${disaster.signal} x${disaster.times} to the ${disaster.group ? "group" : "command"}`;
  return disaster.kind === "kill" && disaster.whileSaving
    ? `${what} ${disaster.delayMs} ms into the last write`
    : `${what} after ${disaster.afterWrites} writes`;
}

/** Runs a command until the failure hits it, and waits until all its processes have ended. */
export async function runInto(
  disaster: Disaster,
  stage: Stage,
  tool: Tool,
  command: "up" | "destroy" = "up",
): Promise<string[]> {
  const { emulator } = stage;
  await catchUp(emulator);
  emulator.journal.clear();
  if (disaster.kind === "fault") emulator.faults.add(disaster.fault);
  const running = command === "up" ? stage.startUp(tool) : stage.startDestroy();
  let ended = false;
  void running.finally(() => (ended = true));
  const hit = disaster.kind === "fault" ? [] : await strike(disaster, stage, running.pid ?? 0, () => ended);
  const { exitCode, all } = await running;
  emulator.faults.clear();
  const left = await waitForEnd(hit);
  // The language host and the program of plain Pulumi are not ours, and write nothing.
  const problems = left
    .filter(({ role }) => role !== "other")
    .map(({ role, pid }) => `the ${role} process ${pid} stays after the crash`);
  const orderly = disaster.kind === "interrupt" && hit.length > 0 && endsInOrder(disaster, tool);
  if (orderly && stage.pending() > 0) problems.push(`pending operations after one ${disaster.signal}`);
  if (orderly && tool === "workspacectl" && exitCode !== 130 && exitCode !== 0)
    problems.push(`exit code ${exitCode} after ${disaster.signal}:\n${all}`);
  return problems;
}

/**
 * Checks for an orderly end: after one Ctrl-C, or after SIGTERM to workspacectl alone, which forwards it as Ctrl-C.
 * SIGTERM ends Pulumi itself.
 */
function endsInOrder({ signal, group, times }: Interrupt, tool: Tool): boolean {
  return times === 1 && (signal === "SIGINT" || (tool === "workspacectl" && !group));
}

/** @returns the processes that were running when it struck */
async function strike(
  disaster: Exclude<Disaster, { kind: "fault" }>,
  stage: Stage,
  root: number,
  ended: () => boolean,
): Promise<Process[]> {
  const { emulator } = stage;
  if (disaster.kind === "kill" && disaster.whileSaving) {
    while (stage.journal === undefined && !ended()) await sleep(1);
    const before = stage.filesOfState();
    while (stage.filesOfState() === before && !ended()) await sleep(1);
  } else while (emulator.journal.writes().length < disaster.afterWrites && !ended()) await sleep(2);
  if (disaster.kind === "kill") await sleep(disaster.delayMs);
  const there = await tree(root);
  if (disaster.kind === "kill") {
    const { victim } = disaster;
    // After the engine is killed, the command that started it ends by itself.
    signal(victim === "all" ? there : there.filter(({ role }) => role === victim), "SIGKILL");
    return there;
  }
  for (let i = 0; i < disaster.times && !ended(); i++) {
    if (i > 0) await sleep(100);
    // A negative number is a process group.
    signal([{ pid: disaster.group ? -root : root, role: "cli" }], disaster.signal);
  }
  return there;
}

/** Kills a command in the moment in which it begins to recover the state by the journal of a killed run. */
export async function killWhileRecovering(random: Random, stage: Stage): Promise<void> {
  const command = random.pick([["preview"], ["drift"]]);
  const running = stage.startOurs(...command);
  let ended = false;
  void running.finally(() => (ended = true));
  const before = stage.filesOfState();
  while (stage.filesOfState() === before && !ended) await sleep(1);
  await sleep(random.below(6));
  running.kill("SIGKILL");
  await running;
  await waitForEnd(await tree(running.pid));
}

/** Waits until orphaned processes have ended by themselves. */
async function waitForEnd(processes: readonly Process[]): Promise<Process[]> {
  let left = await alive(processes);
  for (let waited = 0; left.length > 0 && waited < 150; waited++) {
    await sleep(100);
    left = await alive(left);
  }
  signal(left, "SIGKILL");
  return left;
}
