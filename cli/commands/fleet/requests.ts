/** The hour's requests of each user: whether they are enough for a fleet, and how its processes divide them (docs/fleet.md, "Requests"). */
import { z } from "zod";
import { AutomationError } from "../../../automation/errors.js";
import { DEFAULT_RESERVE } from "../../../automation/policy/guards/types.js";
import { computeReserve } from "../../../automation/policy/request-budget.js";
import { note } from "../../../automation/port.js";
import { whoamiReportSchema } from "../../../automation/report/whoami-report.js";
import type { Io } from "../../../reports/io.js";
import { formatClock } from "../../../text/clock.js";
import { groupBy } from "../../../text/lists.js";
import { getCommandFile } from "../../../toolchain/locations.js";
import { startProgram } from "../../../trust/start-program.js";
import type { FleetEntry } from "./fleet-file.js";
import type { Shard } from "./fleet-report.js";
import type { Figures } from "./shards.js";
import { buildEnvironment } from "./workspace-command.js";

interface BudgetOptions {
  /** The run must not stop half-way, so it is refused unless it may wait. */
  readonly refuses: boolean;
  readonly wait: boolean;
  readonly figures: ReadonlyMap<string, Figures>;
}

/** Asking costs a process for each user, which a run of a few requests is not worth. */
const WORTH_ASKING = 100;
const HOUR_MS = 3_600_000;

/** @throws {AutomationError} when the requests of a user are not enough for `fleet up`, unless it may wait */
export async function checkFleetBudget(
  entries: readonly FleetEntry[],
  { refuses, wait, figures }: BudgetOptions,
  io: Io,
): Promise<void> {
  const known = entries.flatMap(({ name }) => figures.get(name)?.requests ?? []);
  const average = known.reduce((all, one) => all + one, 0) / Math.max(1, known.length);
  const need = ({ name }: FleetEntry) => figures.get(name)?.requests ?? average;
  const short: string[] = [];
  for (const of of groupBy(entries, identifyCaller).values()) {
    const needed = Math.ceil(of.reduce((all, entry) => all + need(entry), 0));
    if (needed < WORTH_ASKING || of[0] === undefined) continue;
    const left = await readRequestsLeft(of[0], io);
    if (left === undefined) continue;
    const line = describeShortage(of, need, needed, left);
    if (line !== undefined) short.push(line);
  }
  if (short.length === 0) return;
  if (refuses && !wait)
    throw new AutomationError(
      ["refused, nothing was changed: the requests of this hour are not enough", ...short].join("\n  "),
      "Run it after that, limit it with --only, --wave or --changed-since, or add --wait to wait for it",
    );
  for (const line of short) note(io, line);
}

interface RequestsLeft {
  readonly user: string;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

const whoami = z.looseObject({
  user: whoamiReportSchema.shape.user,
  baseUrl: z.string(),
  requests: whoamiReportSchema.shape.requests,
});

/** Asks the service as the user of an entry. What goes wrong is reported by the command itself. */
async function readRequestsLeft(entry: FleetEntry, io: Io): Promise<RequestsLeft | undefined> {
  const connection = entry.connection === undefined ? [] : ["--connection", entry.connection];
  const place = { cwd: process.cwd(), env: buildEnvironment(entry, io.env) };
  const args = [getCommandFile(), "whoami", "--json", ...connection];
  const { stdout } = await startProgram(process.execPath, args, place, { stdin: "ignore" });
  try {
    const { user, baseUrl, requests } = whoami.parse(JSON.parse(stdout));
    const { left, limit, resetAt } = requests;
    if (left === null || limit === null || resetAt === null) return undefined;
    const name = `${user?.name ?? "the user"} at ${baseUrl}`;
    return { user: name, limit, remaining: left, resetAt: new Date(resetAt) };
  } catch {
    return undefined;
  }
}

function describeShortage(
  entries: readonly FleetEntry[],
  need: (entry: FleetEntry) => number,
  needed: number,
  { user, limit, remaining, resetAt }: RequestsLeft,
): string | undefined {
  const reserve = computeReserve({ limit, remaining, resetAt }, DEFAULT_RESERVE);
  const free = Math.max(0, remaining - reserve);
  if (needed <= free) return undefined;
  let used = 0;
  const waiting = entries.filter((entry) => (used += need(entry)) > free);
  const hours = Math.ceil((needed - free) / Math.max(1, limit - reserve));
  const until = new Date(resetAt.getTime() + (hours - 1) * HOUR_MS);
  return (
    `${user}: about ${needed} requests for ${entries.length} workspaces, and ${remaining} of ${limit} are left until ` +
    `${formatClock(resetAt)}, ${reserve} of them reserved. ${waiting.length === 1 ? "1 workspace waits" : `${waiting.length} workspaces wait, the last`} until ${formatClock(until)}`
  );
}

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
function identifyCaller({ connection, environment }: FleetEntry): string {
  const settings = Object.entries(environment).filter(([name]) => name.startsWith("WORKSPACE_AUTOMATION_"));
  return JSON.stringify([connection, settings.toSorted()]);
}
