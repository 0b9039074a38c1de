/** Selects the workspaces that a run works on. */
import { CliError } from "../../errors.js";
import type { FleetEntry } from "./fleet-file.js";
import { readFigures } from "./recent-figures.js";
import { matchesName } from "./waves.js";
import type { ShardChoice } from "../../options/parsers.js";
import { assignShards, type Shard } from "./shards.js";

/** Selects entries by patterns, in which * matches anything. */
export function chooseEntries(
  entries: readonly FleetEntry[],
  patterns: readonly string[] | undefined,
): readonly FleetEntry[] {
  if (patterns === undefined) return entries;
  const found = entries.filter(({ name }) => matchesName(patterns, name));
  if (found.length > 0) return found;
  throw new CliError(
    `there is no workspace ${patterns.join(" or ")} in the fleet file`,
    `choose from ${entries.map(({ name }) => name).join(", ")}`,
  );
}

/** @throws {CliError} when there is no entry of this name */
export function chooseEntry(entries: readonly FleetEntry[], name: string): FleetEntry {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  throw new CliError(
    `there is no workspace ${name} in the fleet file`,
    `choose one of ${entries.map((entry) => entry.name).join(", ")}`,
  );
}

/** Selects the entries of a shard. @param figures the file that balances the shards */
export function chooseShard(
  entries: readonly FleetEntry[],
  choice: ShardChoice | undefined,
  figures: string,
): { readonly entries: readonly FleetEntry[]; readonly shard?: Shard } {
  if (choice === undefined) return { entries };
  const of = assignShards(entries, readFigures(figures), choice.count);
  return { entries: entries.filter(({ name }) => of[name] === choice.index), shard: { ...choice, of } };
}
