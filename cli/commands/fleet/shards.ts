/** Selects the workspaces that a run works on: by name, or a shard of them. The figures of the last runs balance the shards, and `fleet plan` prints them. */
import { dirname, join } from "node:path";
import { z } from "zod";
import { readJsonFileIfPresent } from "../../../automation/config-files/checked-files.js";
import { writeFileAtomically } from "../../../automation/config-files/write-file.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { listRequestedFormats } from "../../../reports/deliver-report.js";
import type { ShardFormat } from "../../../reports/formats.js";
import type { Io } from "../../../reports/io.js";
import { printResultTo } from "../../../reports/output.js";
import { formatJson } from "../../../text/safe-text.js";
import type { ShardChoice } from "../../options/option-values.js";
import type { PlanOptions } from "./fleet-command.js";
import { type FleetEntry, readFleet } from "./fleet-file.js";
import type { Shard } from "./fleet-report.js";
import type { FleetResult } from "./result.js";
import { listInWave, matchesName } from "./waves.js";

/** Selects entries by patterns, in which * matches anything. */
export function chooseEntries(
  entries: readonly FleetEntry[],
  patterns: readonly string[] | undefined,
): readonly FleetEntry[] {
  if (patterns === undefined) return entries;
  const found = entries.filter(({ name }) => matchesName(patterns, name));
  if (found.length > 0) return found;
  throw new AutomationError(
    `there is no workspace ${patterns.join(" or ")} in the fleet file`,
    `choose from ${entries.map(({ name }) => name).join(", ")}`,
  );
}

/** Selects the entries of owners. @throws {AutomationError} when none matches */
export function chooseOwned(
  entries: readonly FleetEntry[],
  patterns: readonly string[] | undefined,
): readonly FleetEntry[] {
  if (patterns === undefined) return entries;
  const found = entries.filter(({ owner }) => owner !== undefined && matchesName(patterns, owner));
  if (found.length > 0) return found;
  const owners = [...new Set(entries.flatMap(({ owner }) => owner ?? []))];
  throw new AutomationError(
    `no workspace of the fleet file has the owner ${patterns.join(" or ")}`,
    owners.length === 0 ? 'write "owner:" at its entries' : `choose from ${owners.join(", ")}`,
  );
}

/** @throws {AutomationError} when there is no entry of this name */
export function chooseEntry(entries: readonly FleetEntry[], name: string): FleetEntry {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  throw new AutomationError(
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

const figures = z.object({ requests: z.int().min(0), objects: z.int().min(0) });
const schema = z.object({ version: z.literal(1), workspaces: z.record(z.string(), figures) });

export type Figures = z.infer<typeof figures>;

/** Returns the file next to the fleet file, unless an option names another. */
export function locateFiguresFile(fleetFile: string, named: string | undefined): string {
  return named ?? join(dirname(fleetFile), "fleet.figures.json");
}

/** @throws {AutomationError} when the file is another one */
export function readFigures(file: string): ReadonlyMap<string, Figures> {
  const expected = {
    what: "a file of workspacectl with the size of each workspace, which distributes a fleet over several jobs",
    remedy: "choose another with --figures, or delete it: the next run measures anew",
  };
  return new Map(Object.entries(readJsonFileIfPresent(schema, file, expected)?.workspaces ?? {}));
}

/** Updates the figures of the workspaces that were read to the end. A folder without write access is no failure. */
export function recordFigures(file: string, results: readonly FleetResult[], io: Io): void {
  const known = readFigures(file);
  const measured = results.flatMap(({ name, result, requests, objects }): [string, Figures][] =>
    (result === "ok" || result === "drift") && requests !== undefined && objects !== undefined
      ? [[name, { requests, objects }]]
      : [],
  );
  if (measured.length === 0) return;
  const all = [...new Map([...known, ...measured])].toSorted(([one], [other]) => (one < other ? -1 : 1));
  try {
    const text = JSON.stringify({ version: 1, workspaces: Object.fromEntries(all) }, null, 2);
    writeFileAtomically(file, `${text}\n`);
  } catch (error) {
    note(
      io,
      `The figures of this run (--figures) could not be written to ${file}: ${(error as Error).message}`,
    );
  }
}

interface PlannedShard {
  readonly shard: string;
  readonly workspaces: readonly string[];
  /** Sums of the last run. */
  readonly requests: number;
  readonly objects: number;
}

/** GitLab starts at most 200 jobs of a matrix. */
const MOST_IN_GITLAB = 200;

export function planShards(options: PlanOptions, io: Io): number {
  const fleet = readFleet(options.file);
  const entries = listInWave(chooseEntries(fleet.entries, options.only), fleet.waves, options.wave);
  const figures = readFigures(locateFiguresFile(options.file, options.figures));
  const of = assignShards(entries, figures, options.shards);
  const all = Array.from({ length: options.shards }, (_, index) => index + 1);
  const shards = all.flatMap((index): PlannedShard[] => {
    const workspaces = entries.map(({ name }) => name).filter((name) => of[name] === index);
    const sum = (key: keyof Figures) =>
      workspaces.reduce((total, name) => total + (figures.get(name)?.[key] ?? 0), 0);
    const shard = `${index}/${options.shards}`;
    // A job without a workspace would only cost the start of a runner.
    return workspaces.length === 0
      ? []
      : [{ shard, workspaces, requests: sum("requests"), objects: sum("objects") }];
  });
  const withoutFigures = entries.map(({ name }) => name).filter((name) => !figures.has(name));
  for (const { format, file } of listRequestedFormats<ShardFormat>(options, "json"))
    printResultTo(file, formatPlan(format, shards, withoutFigures), io);
  return 0;
}

function formatPlan(
  format: ShardFormat,
  shards: readonly PlannedShard[],
  withoutFigures: readonly string[],
): string {
  const names = shards.map(({ shard }) => shard);
  switch (format) {
    case "json":
      return `${formatJson({ version: 1, shards, withoutFigures })}\n`;
    case "github-matrix":
      return `${JSON.stringify({ shard: names })}\n`;
    case "gitlab-parallel":
      if (names.length > MOST_IN_GITLAB)
        throw new AutomationError(
          `GitLab starts at most ${MOST_IN_GITLAB} jobs of a matrix`,
          `set --shards ${MOST_IN_GITLAB}`,
        );
      return `.fleet-shards:\n  parallel:\n    matrix:\n      - SHARD: ${JSON.stringify(names)}\n`;
  }
}
