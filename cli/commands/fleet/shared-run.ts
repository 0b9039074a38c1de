/**
 * Divides the workspaces of a named run among its machines: each machine takes the next one that nobody has claimed, and renews its claim while it works.
 * A workspace is taken over when its claim is not renewed any more, and its lock is released. Its machine is lost then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import type { Io } from "../../../reports/io.js";
import type { FleetEntry } from "./fleet-file.js";
import { LockedWorkspaces, type LockState } from "./locked-workspaces.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import { createDone, FleetProcesses, type FleetRun } from "./run-each-workspace.js";

const RENEWED_EVERY_MS = 5_000;
/** How long a claim must stand still. */
const STANDS_STILL_MS = 15_000;
/** How often to look for something to do. */
const LOOK_EVERY_MS = 2_000;

interface SharedRun {
  readonly progress: FleetProgress;
  readonly run: FleetRun;
  /** Monotonic, in milliseconds. */
  readonly readClock?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
  /** Repeats something. @returns a function that ends it */
  readonly repeat?: (renew: () => Promise<unknown>) => () => void;
}

/** Runs until each workspace is done by some machine, or has failed on this one. */
export async function runTogether(
  entries: readonly FleetEntry[],
  { progress, run, readClock = () => performance.now(), pause = sleep, repeat = repeatOften }: SharedRun,
  io: Io,
): Promise<FleetResult[]> {
  const processes = new FleetProcesses(entries, { ...run, onResult: progress.record }, io);
  const locked = new LockedWorkspaces((entry) => processes.getEnvironment(entry), readClock, io);
  const begun = new Map<FleetEntry, FleetResult | undefined>();
  const seen: Seen = new Map();
  let hasWaited = false;
  const ended = await Promise.allSettled(Array.from({ length: run.parallel }, work));
  await processes.close();
  for (const one of ended) if (one.status === "rejected") throw createStoreError(one.reason);
  await progress.refresh();
  return entries.map((entry) => {
    const result = begun.get(entry) ?? processes.skip(entry);
    return result.result !== "ok" && progress.isDone(entry) ? createDone(entry) : result;
  });

  async function work(): Promise<void> {
    for (;;) {
      await progress.refresh();
      const left = entries.filter((entry) => !progress.isDone(entry) && !begun.has(entry));
      if (left.length === 0 || processes.isStopped) return;
      const next = await findNext(left);
      if (next === undefined) {
        if (!hasWaited) note(io, `Waits for other machines: ${left.map(({ name }) => name).join(", ")}`);
        hasWaited = true;
        await pause(LOOK_EVERY_MS);
      } else if (!begun.has(next)) await claimAndRun(next);
    }
  }

  /** Finds a workspace that another machine has left, or else the first one that is free. */
  async function findNext(left: readonly FleetEntry[]): Promise<FleetEntry | undefined> {
    const locks = await locked.look(left);
    const states = left.map((entry, index): ClaimState => {
      return { entry, claims: progress.countClaims(entry), lock: locks[index] ?? "free" };
    });
    return findAbandoned(states, seen, readClock()) ?? states.find(isFree)?.entry;
  }

  async function claimAndRun(entry: FleetEntry): Promise<void> {
    begun.set(entry, undefined);
    const isTakenOver = progress.countClaims(entry) > 0;
    if (!(await progress.claim(entry))) {
      begun.delete(entry);
      return;
    }
    if (isTakenOver) note(io, `Continues with ${entry.name}, which another machine has left.`);
    const stopRenewing = repeat(() => progress.claim(entry).catch(() => undefined));
    const result = await processes.run(entry, NO_TURNS).finally(stopRenewing);
    begun.set(entry, result);
    if (result.result !== "ok") await progress.release(entry);
  }
}

/** A process that has to wait for a lock keeps its place. */
const NO_TURNS = { give: () => undefined, take: () => Promise.resolve() };

interface ClaimState {
  readonly entry: FleetEntry;
  readonly claims: number;
  readonly lock: LockState;
}

/** What is known of a workspace that is not free, and since when. */
type Seen = Map<FleetEntry, { readonly text: string; readonly since: number }>;

function findAbandoned(states: readonly ClaimState[], seen: Seen, now: number): FleetEntry | undefined {
  let found: FleetEntry | undefined;
  for (const state of states) {
    const { entry, claims, lock } = state;
    // Only the process of a workspace can say what to do about an unknown lock.
    const text = `${claims} ${lock === "unknown"}`;
    const before = seen.get(entry);
    if (before?.text !== text) seen.set(entry, { text, since: now });
    else if (!isFree(state) && lock !== "held" && now - before.since >= STANDS_STILL_MS) found ??= entry;
  }
  return found;
}

function isFree({ claims, lock }: ClaimState): boolean {
  return claims === 0 && lock === "free";
}

/** What the machines know of each other is next to the states. */
function createStoreError(reason: unknown): AutomationError {
  const { message } = reason as Error;
  return reason instanceof AutomationError
    ? reason
    : new AutomationError(
        `the progress of --run, which all machines share next to the states, cannot be read or written: ${message}`,
        "correct PULUMI_BACKEND_URL and its keys, and run the command again, which continues",
      );
}

function repeatOften(renew: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void renew(), RENEWED_EVERY_MS);
  return () => clearInterval(timer);
}
