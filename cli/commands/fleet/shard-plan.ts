/** Prints the shards of a fleet in the form in which a CI system starts its jobs. */
import type { PlanOptions } from "./command.js";
import { CliError } from "../../errors.js";
import { listRequestedFormats } from "../../reporters/deliver-report.js";
import type { ShardFormat } from "../../options/formats.js";
import type { Io } from "../../terminal/io.js";
import { printResultTo } from "../../terminal/output.js";
import { formatJson } from "../../terminal/safe-text.js";
import { locateFiguresFile, readFigures, type Figures, chooseEntries, assignShards } from "./shards.js";
import { readFleet } from "./fleet-file.js";
import { listInWave } from "./waves.js";

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
        throw new CliError(
          `GitLab starts at most ${MOST_IN_GITLAB} jobs of a matrix`,
          `set --shards ${MOST_IN_GITLAB}`,
        );
      return `.fleet-shards:\n  parallel:\n    matrix:\n      - SHARD: ${JSON.stringify(names)}\n`;
  }
}
