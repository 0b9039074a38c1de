/**
 * Counts the requests of a run for the process that started it. The provider runs in a process of its own, so it appends a line
 * per response to a file, which the other process names and reads afterwards.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Exchange } from "../../client/index.js";
import type { Rename } from "../../resources/definition/renames.js";

/** Path of the file. Without it, nothing is counted. */
export const REQUEST_COUNTER_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_COUNTER";

/** The remaining requests of the hour, according to the last response. */
export interface RateLeft {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

export interface CountedRequests {
  readonly reads: number;
  readonly writes: number;
  readonly left?: RateLeft;
  /** The number of items of each list that was read, by key. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Outside renames. */
  readonly renames: readonly Rename[];
  /** Adopted objects, as type and id. */
  readonly adopted: readonly (readonly [type: string, id: string])[];
  /** Objects that are perhaps hidden from the calling user, as type and id. */
  readonly hidden: readonly (readonly [type: string, id: string])[];
}

/** Receives the requests and findings of a run. */
export interface RequestCounter {
  readonly exchanged: (exchange: Exchange) => void;
  /** A list was read as a whole. */
  readonly listed: (key: string, items: number) => void;
  /** A name was changed outside. */
  readonly renamed: (rename: Rename) => void;
  /** An object was adopted, which the engine regards as created. */
  readonly adopted: (type: string, id: string) => void;
  /** An object exists perhaps, but not for the calling user. */
  readonly hidden: (type: string, id: string) => void;
}

type Line =
  | { readonly method: string; readonly left?: readonly [limit: number, remaining: number, resetAt: number] }
  | { readonly list: string; readonly items: number }
  | { readonly renamed: Rename }
  | { readonly adopted: string; readonly id: string }
  | { readonly hidden: string; readonly id: string };

/** A counter that writes to the file in the environment; undefined when there is none. */
export function openRequestCounter(
  env: Readonly<Record<string, string | undefined>> = process.env,
): RequestCounter | undefined {
  const file = env[REQUEST_COUNTER_VARIABLE];
  if (!file) return undefined;
  const write = (line: Line) => {
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch {
      // The other process has ended. That is no reason for this one to fail.
    }
  };
  return {
    exchanged: ({ method, rate }) =>
      write({ method, ...(rate ? { left: [rate.limit, rate.remaining, rate.resetAt.getTime()] } : {}) }),
    listed: (list, items) => write({ list, items }),
    renamed: (rename) => write({ renamed: rename }),
    adopted: (type, id) => write({ adopted: type, id }),
    hidden: (type, id) => write({ hidden: type, id }),
  };
}

/** The counts so far, or from a position on: the `end` of an earlier result. */
export function readRequestCounter(file: string, from = 0): CountedRequests & { readonly end: number } {
  const text = readText(file, from);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const adopted: [string, string][] = [];
  const hidden: [string, string][] = [];
  let [reads, writes] = [0, 0];
  let left: RateLeft | undefined;
  const sizes = new Map<string, number>();
  const renames = new Map<string, Rename>();
  for (const line of whole
    .split("\n")
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Line)) {
    if ("list" in line) sizes.set(line.list, line.items);
    else if ("renamed" in line) renames.set(line.renamed.from, line.renamed);
    else if ("adopted" in line) adopted.push([line.adopted, line.id]);
    else if ("hidden" in line) hidden.push([line.hidden, line.id]);
    else {
      if (line.method === "GET") reads++;
      else writes++;
      if (line.left) left = takeLower(left, line.left);
    }
  }
  const known = { reads, writes, sizes, adopted, hidden, renames: [...renames.values()] };
  return { ...known, ...(left ? { left } : {}), end: from + Buffer.byteLength(whole) };
}

/** Responses overtake each other: within an hour, the lowest number is the newest. */
function takeLower(
  known: RateLeft | undefined,
  [limit, remaining, reset]: readonly [number, number, number],
): RateLeft {
  const isNewer = known === undefined || reset - known.resetAt.getTime() > 1000;
  return isNewer || remaining < known.remaining ? { limit, remaining, resetAt: new Date(reset) } : known;
}

/** @param from the number of bytes to skip */
function readText(file: string, from: number): string {
  let open: number | undefined;
  try {
    open = openSync(file, "r");
    const bytes = Buffer.alloc(Math.max(0, fstatSync(open).size - from));
    return bytes.toString("utf8", 0, readSync(open, bytes, 0, bytes.length, from));
  } catch {
    return "";
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
