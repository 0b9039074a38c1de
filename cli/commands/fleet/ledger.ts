/** How the processes of a fleet share the hour's requests of a user (docs/fleet.md, "Requests"). */
import { checkLedger } from "../../../client/index.js";
import { ledgerOptions, LEDGER_SHARES_VARIABLE, LEDGER_VARIABLE } from "../../../provider/index.js";
import { note, type Io } from "../../terminal/io.js";
import type { FleetEntry } from "./file.js";
import type { Shard } from "./shards.js";

/** Returns the number of shards that send requests as the same user as a workspace. */
export function sharesOf(
  entries: readonly FleetEntry[],
  shard: Shard | undefined,
): (entry: FleetEntry) => number {
  const shards = new Map<string, Set<number>>();
  for (const entry of shard === undefined ? [] : entries) {
    const of = shards.get(callerOf(entry)) ?? new Set();
    shards.set(callerOf(entry), of.add(shard?.of[entry.name] ?? 1));
  }
  return (entry) => shards.get(callerOf(entry))?.size ?? 1;
}

/** The settings of an entry that determine the user and the address. */
function callerOf({ connection, environment }: FleetEntry): string {
  const settings = Object.entries(environment).filter(([name]) => name.startsWith("WORKSPACE_AUTOMATION_"));
  return JSON.stringify([connection, settings.toSorted()]);
}

/**
 * Returns the variables of a workspace's process. The processes share the named ledger, else a temporary one. Shards cannot
 * see each other's temporary folders, so each takes its share of the hour.
 */
export async function ledgerVariables(
  temporary: string,
  shares: (entry: FleetEntry) => number,
  io: Io,
): Promise<(entry: FleetEntry) => Readonly<Record<string, string>>> {
  const named = io.env[LEDGER_VARIABLE];
  if (named && (await isUsable(io))) return () => ({ [LEDGER_VARIABLE]: named });
  return (entry) => ({
    [LEDGER_VARIABLE]: temporary,
    [LEDGER_SHARES_VARIABLE]: String(shares(entry)),
  });
}

async function isUsable(io: Io): Promise<boolean> {
  const { ledger } = ledgerOptions(io.env);
  try {
    if (ledger) await checkLedger(ledger);
    return true;
  } catch (error) {
    const why = `${LEDGER_VARIABLE}: ${(error as Error).message}`;
    note(io, `The shards do not share a ledger of requests (${why}). Each takes its share of the hour.`);
    return false;
  }
}
