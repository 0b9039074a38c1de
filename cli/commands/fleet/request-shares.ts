/** How the processes of a fleet divide the hour's requests of a user (docs/fleet.md, "Requests"). */
import type { FleetEntry } from "./fleet-file.js";
import type { Shard } from "./shards.js";

/** Returns the number of processes that may run at the same time as the same user as a workspace, on all machines. */
export function countShares(
  entries: readonly FleetEntry[],
  shard: Shard | undefined,
  parallel: number,
): (entry: FleetEntry) => number {
  const shards = new Map<string, Map<number, number>>();
  for (const entry of entries) {
    const caller = identifyCaller(entry);
    const counts = shards.get(caller) ?? new Map<number, number>();
    const number = shard?.of[entry.name] ?? 1;
    shards.set(caller, counts.set(number, (counts.get(number) ?? 0) + 1));
  }
  return (entry) => {
    const counts = [...(shards.get(identifyCaller(entry))?.values() ?? [])];
    return Math.max(
      1,
      counts.reduce((all, count) => all + Math.min(count, parallel), 0),
    );
  };
}

/** The settings of an entry that determine the user and the address. */
export function identifyCaller({ connection, environment }: FleetEntry): string {
  const settings = Object.entries(environment).filter(([name]) => name.startsWith("WORKSPACE_AUTOMATION_"));
  return JSON.stringify([connection, settings.toSorted()]);
}
