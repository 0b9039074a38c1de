/** Divides the workspaces of a fleet among runners, so that each takes about the same time. */
import type { ShardChoice } from "../../options/parsers.js";
import type { FleetEntry } from "./fleet-file.js";
import type { Figures } from "./recent-figures.js";

/** A shard of a report: which one it is, and the shard of every workspace. */
export interface Shard extends ShardChoice {
  readonly of: Readonly<Record<string, number>>;
}

/**
 * Returns the shard of each workspace, from 1. The largest workspaces come first, each to the shard with the least so far,
 * and equal ones by name, so every runner gets the same result from the same figures.
 */
export function assignShards(
  entries: readonly Pick<FleetEntry, "name">[],
  figures: ReadonlyMap<string, Figures>,
  count: number,
): Record<string, number> {
  const costs = estimateCosts(entries, figures);
  const loads = Array.from({ length: count }, () => 0);
  const largestFirst = [...costs].toSorted(
    ([one, cost], [other, otherCost]) => otherCost - cost || (one < other ? -1 : 1),
  );
  const placed = new Map<string, number>();
  for (const [name, cost] of largestFirst) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + cost;
    placed.set(name, least + 1);
  }
  return Object.fromEntries(entries.map(({ name }) => [name, placed.get(name) ?? 1]));
}

/**
 * Weighs a workspace by its requests and objects, which determine how long its run takes. Without figures, it counts as an average one.
 */
function estimateCosts(
  entries: readonly Pick<FleetEntry, "name">[],
  figures: ReadonlyMap<string, Figures>,
): Map<string, number> {
  const costs = entries.map(({ name }): [string, number | undefined] => {
    const known = figures.get(name);
    return [name, known && Math.max(1, known.requests + known.objects)];
  });
  const known = costs.flatMap(([, cost]) => (cost === undefined ? [] : [cost]));
  const average = known.length === 0 ? 1 : known.reduce((all, cost) => all + cost, 0) / known.length;
  return new Map(costs.map(([name, cost]) => [name, cost ?? average]));
}
