/**
 * Completes workspaces of other shards in a shared run. While all of its own that are left wait for locks, a shard takes any that nobody has begun. Then
 * it takes those of the shards before it: their machine was lost, and its successor has to wait. Those after it may not have started yet. Kubernetes
 * starts the pods of a Job in this order, and waits longer for an index each time that it has failed. A pod that also did the work of later ones would
 * take all failures upon its own index.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { LimitFunction } from "p-limit";
import { note, type Io } from "../../terminal/io.js";
import { buildEnvironment } from "./child.js";
import type { FleetEntry } from "./file.js";
import { runFleet, type FleetRun } from "./processes.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import type { Shard } from "./shards.js";
import { findLocked } from "./turns.js";

/** How often to look for something to do while the own workspaces wait. */
const PAUSE_MS = 5_000;

export interface OtherShards {
  readonly shard: Shard;
  /** The workspaces of all shards. */
  readonly entries: readonly FleetEntry[];
  readonly progress: FleetProgress;
  readonly run: FleetRun & { readonly limit: LimitFunction };
  /** The results of the own workspaces. */
  readonly own: Promise<readonly FleetResult[]>;
  /** Settles when one of these waits for a lock. */
  readonly waits: Promise<void>;
}

/** Runs until the own workspaces are done and nothing is left to help with. The other shards report what fails. */
export async function helpOtherShards(
  { shard, entries, progress, run, own, waits }: OtherShards,
  io: Io,
): Promise<void> {
  let [isOwnDone, goesOn] = [false, true];
  const ended = own.then(
    (results) => ([isOwnDone, goesOn] = [true, results.every(hasEnded)]),
    () => ([isOwnDone, goesOn] = [true, false]),
  );
  await Promise.race([ended, waits]);
  const others = sortByDistance(entries, shard).filter(({ name }) => run.approved?.has(name) !== false);
  const isBefore = ({ name }: FleetEntry) => (shard.of[name] ?? shard.index) < shard.index;
  const tried = new Set<FleetEntry>();
  while (goesOn) {
    // The own workspaces that have not started come first.
    await run.limit(() => undefined);
    await progress.refresh();
    const left = others.filter((entry) => !tried.has(entry) && !progress.isDone(entry));
    const isLocked = await findLocked(left, (entry) => buildEnvironment(entry, io.env));
    const free = left.filter((entry, at) => !isLocked[at] && (isBefore(entry) || !isOwnDone));
    const untouched = free.find((entry) => !progress.isBegun(entry));
    // The machine that has begun the others may be lost.
    const next = untouched ?? (isOwnDone ? free[0] : undefined);
    if (next === undefined && isOwnDone) return;
    if (next === undefined) {
      await Promise.race([ended, sleep(PAUSE_MS, undefined, { ref: false })]);
      continue;
    }
    note(io, `Continues with a workspace of another shard: ${next.name}`);
    tried.add(next);
    await progress.begins(next, shard.index);
    const results = await runFleet([next], { ...run, onResult: progress.record }, io);
    if (!results.every(hasEnded)) return;
  }
}

/** The shards before this one, the nearest first, then those after it from the end. Of each, the last workspaces first, because it begins with the first. */
function sortByDistance(entries: readonly FleetEntry[], { index, count, of }: Shard): readonly FleetEntry[] {
  const distance = ({ name }: FleetEntry) => (index - (of[name] ?? index) + count) % count;
  return entries
    .filter((entry) => distance(entry) > 0)
    .toReversed()
    .toSorted((one, other) => distance(one) - distance(other));
}

/** Whether the process of a workspace was started, and nobody has interrupted it. */
function hasEnded({ result }: Pick<FleetResult, "result">): boolean {
  return result !== "interrupted" && result !== "skipped";
}
