/**
 * Completes what the shards before this one have left in a shared run: their machine was lost, and its successor has to wait. Those after it may not
 * have started yet. Kubernetes starts the pods of a Job in this order, and waits longer for an index each time that it has failed. A pod that also did
 * the work of later ones would take all failures upon its own index.
 */
import { note, type Io } from "../../terminal/io.js";
import { buildEnvironment } from "./child.js";
import type { FleetEntry } from "./file.js";
import { runFleet, type FleetRun } from "./processes.js";
import type { FleetProgress } from "./progress.js";
import type { FleetResult } from "./result.js";
import type { Shard } from "./shards.js";
import { findLocked } from "./turns.js";

export interface OtherShards {
  readonly shard: Shard;
  /** The workspaces of all shards. */
  readonly entries: readonly FleetEntry[];
  readonly progress: FleetProgress;
  readonly run: FleetRun;
}

/** Runs until nothing is left that no other machine works on. Their own shards report what fails. */
export async function completeOtherShards(
  { shard, entries, progress, run }: OtherShards,
  io: Io,
): Promise<void> {
  const { index, of } = shard;
  /** Those of the shard before come first, and its last ones before the others, because it has begun with the first ones. */
  const distance = ({ name }: FleetEntry) => index - (of[name] ?? index);
  const others = entries.filter((entry) => distance(entry) > 0 && run.approved?.has(entry.name) !== false);
  const inOrder = others.toReversed().toSorted((one, other) => distance(one) - distance(other));
  const tried = new Set<FleetEntry>();
  for (;;) {
    await progress.refresh();
    const left = inOrder.filter((entry) => !tried.has(entry) && !progress.isDone(entry));
    const isLocked = await findLocked(left, (entry) => buildEnvironment(entry, io.env));
    const free = left.filter((_, at) => !isLocked[at]);
    const untouched = free.filter((entry) => !progress.isBegun(entry));
    const available = untouched.length > 0 ? untouched : free;
    // Another machine works on the rest. For each workspace, one helper waits, in case that machine is lost.
    const next = available[0] ?? left.find((entry) => distance(entry) === 1);
    if (next === undefined) return;
    note(io, `Continues with a workspace of another shard: ${next.name}`);
    tried.add(next);
    await progress.begins(next, index);
    const onResult = (result: FleetResult) => {
      if (result.result === "ok") progress.done(result);
    };
    const results = await runFleet([next], { ...run, onResult }, io);
    if (!results.every(hasEnded)) return;
  }
}

/** Whether the process of a workspace was started, and nobody has interrupted it. */
export function hasEnded({ result }: Pick<FleetResult, "result">): boolean {
  return result !== "interrupted" && result !== "skipped";
}
