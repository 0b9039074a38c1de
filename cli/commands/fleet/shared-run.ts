/**
 * Divides the workspaces of a named run among its machines: each machine takes the next one that nobody has claimed, and renews its claim while it works.
 * A workspace is taken over when neither its claim nor its lock is renewed any more, because its machine is lost then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { note, type Io } from "../../terminal/io.js";
import type { FleetEntry } from "./file.js";
import { createDone, FleetProcesses, type FleetRun } from "./processes.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import { describeLocks, inTurn } from "./turns.js";

const RENEWED_EVERY_MS = 5_000;
/** How long claim and lock must stand still. A lock is renewed every 10 s. */
const STANDS_STILL_MS = 15_000;
/** How often to look for something to do. */
const LOOK_EVERY_MS = 2_000;

export interface SharedRun {
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
  const limit = pLimit(run.parallel);
  const begun = new Map<FleetEntry, FleetResult | undefined>();
  const seen: Seen = new Map();
  const workers = Array.from({ length: run.parallel }, work);
  try {
    // A workspace that waits for its lock adds a worker.
    for (const worker of workers) await worker;
  } finally {
    await Promise.allSettled(workers);
    processes.close();
  }
  await progress.refresh();
  return entries.map((entry) => {
    const result = begun.get(entry) ?? processes.skip(entry);
    return result.result !== "ok" && progress.isDone(entry) ? createDone(entry) : result;
  });

  async function work(): Promise<void> {
    for (;;) {
      const found = await inTurn(limit, async (turn) => {
        const next = await claimNext();
        if (typeof next === "string") return next;
        const give = () => (turn.give(), workers.push(work()));
        const stopRenewing = repeat(() => progress.claim(next).catch(() => undefined));
        const result = await processes.run(next, { ...turn, give }).finally(stopRenewing);
        begun.set(next, result);
        if (result.result !== "ok") await progress.release(next);
        return "something";
      });
      if (found === "end" || processes.isStopped) return;
      if (found === "nothing") await pause(LOOK_EVERY_MS);
    }
  }

  async function claimNext(): Promise<FleetEntry | "nothing" | "end"> {
    for (;;) {
      await progress.refresh();
      const left = entries.filter((entry) => !progress.isDone(entry) && !begun.has(entry));
      if (left.length === 0 || processes.isStopped) return "end";
      const locks = await describeLocks(left, (entry) => processes.getEnvironment(entry));
      const states = left.map((entry, index): ClaimState => {
        return { entry, claims: progress.countClaims(entry), lock: locks[index] };
      });
      const abandoned = findAbandoned(states, seen, readClock());
      const next = abandoned ?? states.find(isFree)?.entry;
      if (next === undefined) return "nothing";
      begun.set(next, undefined);
      if (await progress.claim(next)) {
        if (abandoned) note(io, `Continues with ${next.name}, which another machine has left.`);
        return next;
      }
      begun.delete(next);
    }
  }
}

interface ClaimState {
  readonly entry: FleetEntry;
  readonly claims: number;
  readonly lock: string | undefined;
}

/** Claim and lock of a workspace, and since when they have been the same. */
type Seen = Map<FleetEntry, { readonly text: string; readonly since: number }>;

/** Finds a workspace to take over. It comes before free ones, because its lock may take a minute to be released, in which these run. */
function findAbandoned(states: readonly ClaimState[], seen: Seen, now: number): FleetEntry | undefined {
  let found: FleetEntry | undefined;
  for (const { entry, ...state } of states) {
    const text = JSON.stringify(state);
    const before = seen.get(entry);
    if (before?.text !== text) seen.set(entry, { text, since: now });
    else if (!isFree(state) && now - before.since >= STANDS_STILL_MS) found ??= entry;
  }
  return found;
}

function isFree({ claims, lock }: Omit<ClaimState, "entry">): boolean {
  return claims === 0 && lock === undefined;
}

function repeatOften(renew: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void renew(), RENEWED_EVERY_MS);
  return () => clearInterval(timer);
}
