/** The request budget of a plan: whether the remaining requests are enough. */
import {
  type Count,
  type CountedRequests,
  estimateRequests,
  findDefinition,
  getAddress,
  type RateLeft,
  type SharedReadCache,
} from "../../provider/index.js";
import type { WorkspaceConnection } from "../connection/connection.js";
import { AutomationError } from "../errors.js";
import type { PlannedObject } from "../plan/planned-objects.js";

export interface Budget {
  /** Number of requests that this command has made. */
  readonly made: Count;
  /** Number of requests that the plan needs. */
  readonly needed: Count;
  readonly left?: RateLeft;
  /** Requests that are reserved for others. */
  readonly reserve: number;
}

type Sufficiency =
  | "enough"
  /** Too many for this window, but not for the next one. */
  | "short"
  /** Too many even for a full window. */
  | "too-much";

function sumRequests({ reads, writes }: Count): number {
  return reads + writes;
}

export function computeReserve(left: RateLeft | undefined, percent: number): number {
  return left === undefined ? 0 : Math.floor((left.limit * percent) / 100);
}

export function judgeSufficiency({ needed, left, reserve }: Budget, now = Date.now()): Sufficiency {
  const requests = sumRequests(needed);
  if (left === undefined || requests === 0) return "enough";
  // A window that has ended is followed by a full one, even if no response has said so yet.
  const remaining = left.resetAt.getTime() <= now ? left.limit : left.remaining;
  if (requests <= remaining - reserve) return "enough";
  return requests <= left.limit - reserve ? "short" : "too-much";
}

/** Describes a budget in one line. @param time writes the time of the reset */
export function formatBudget({ made, needed, left, reserve }: Budget, time: (when: Date) => string): string {
  const takes = `about ${sumRequests(needed)} to apply it (${needed.reads} to read, ${needed.writes} to write)`;
  const there =
    left === undefined
      ? "the service does not say how many are left"
      : `${left.remaining} of ${left.limit} left until ${time(left.resetAt)}, ${reserve} of them reserved`;
  return `${takes}, ${sumRequests(made)} made so far; ${there}`;
}

/** Returns the error for insufficient requests. */
export function createShortageError(budget: Budget): AutomationError {
  const { needed, left, reserve } = budget;
  const there = `${left?.remaining ?? 0} of ${left?.limit ?? 0} are left until ${left?.resetAt.toISOString() ?? "?"}`;
  const what = `this takes about ${sumRequests(needed)} requests, and ${there}, of which ${reserve} are reserved (--reserve)`;
  const remedy =
    judgeSufficiency(budget) === "too-much"
      ? "Even the requests of a full hour are not enough: set --reserve lower, or declare the workspace in several steps"
      : "Run it again after that time, add --wait to wait for it, or set --reserve lower";
  return new AutomationError(`refused, nothing was changed: ${what}`, remedy);
}

/** Id that no member has. The caller is never among the removed members. */
const NOBODY = -1;

interface EstimateInput {
  readonly objects: readonly PlannedObject[];
  /** Objects that the preview has read, which `up` does not read again. */
  readonly reads: SharedReadCache;
  /** Whether `up` refreshes the state first, and so looks for deleted objects again. */
  readonly refreshes: boolean;
  /** Numbers of items in the lists, by key. */
  readonly sizes: CountedRequests["sizes"];
}

/** Returns the requests between the end of the preview and the end of `up`. */
export async function estimate(
  { objects, reads, refreshes, sizes }: EstimateInput,
  { workspace, baseUrl }: Pick<WorkspaceConnection, "workspace" | "baseUrl">,
): Promise<Count> {
  const address = getAddress(baseUrl, workspace);
  const counts = await estimateRequests({
    workspace,
    baseUrl,
    isRead: (key) => reads.isRead(address, key),
    sizes,
    callerId: NOBODY,
    looksForTwins: true,
    steps: objects.flatMap((object) => {
      const definition = findDefinition(object.type);
      // The requests for a member of a list are those of its parent. Another provider sends none to the service.
      const operation = object.within === undefined ? object.operation : "release";
      return definition === undefined ? [] : [{ ...object, definition, operation }];
    }),
  });
  const sum = (of: keyof Count) => counts.reduce((all, count) => all + count[of], 0);
  return { reads: sum("reads") + (refreshes ? reads.failures(address) : 0), writes: sum("writes") };
}
