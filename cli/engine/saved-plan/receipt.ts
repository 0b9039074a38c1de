/** Builds the receipt of an `up`. */
import { readRequestCounter, type Count } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import type { CheckedPlan } from "../plan/checked-plan.js";
import type { PlanStep } from "../plan/steps.js";
import type { OpenStack } from "../stack/open.js";
import { aboutRun } from "./saved-plan.js";
import { RECEIPT_FORMAT, type Receipt } from "./schema.js";
import type { StoredPlan } from "./store.js";

export interface ApplyRun {
  open: OpenStack;
  readonly startedAt: Date;
  readonly stored?: StoredPlan | undefined;
  plan?: CheckedPlan;
  readonly done: PlanStep[];
  outcome: Receipt["outcome"];
  error?: unknown;
  /** Ids in the state, by logical name. */
  ids?: ReadonlyMap<string, string>;
}

export function outcomeOf(error: unknown): Receipt["outcome"] {
  return error instanceof CliError && error.exitCode === exitCodes.interrupted ? "interrupted" : "failed";
}

export function receiptOf({ open, startedAt, stored, plan, done, outcome, error, ids }: ApplyRun): Receipt {
  const { reads, writes, left } = readRequestCounter(open.meter);
  const counts: Receipt["counts"] = {};
  for (const { operation } of done) counts[operation] = (counts[operation] ?? 0) + 1;
  return {
    kind: "workspacectl-receipt",
    formatVersion: RECEIPT_FORMAT,
    ...aboutRun(open),
    ...(stored ? { plan: { sha256: stored.sha256, createdAt: stored.plan.createdAt } } : {}),
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    outcome,
    ...(error instanceof Error ? { error: error.message } : {}),
    done: done.map(({ operation, type, name, milliseconds }) => {
      const id = operation === "delete" ? undefined : ids?.get(name);
      return {
        operation,
        type,
        name,
        ...(id === undefined ? {} : { id }),
        ...(milliseconds === undefined ? {} : { milliseconds }),
      };
    }),
    counts,
    verdicts: (plan?.verdicts ?? []).map((verdict) => ({ ...verdict, objects: [...verdict.objects] })),
    ...(plan ? { access: [...plan.access.lines] } : {}),
    requests: {
      ...(plan ? { estimated: sum(plan.budget.made, plan.budget.needed) } : {}),
      made: { reads, writes },
      ...(left ? { left: { ...left, resetAt: left.resetAt.toISOString() } } : {}),
    },
  };
}

function sum(a: Count, b: Count): Count {
  return { reads: a.reads + b.reads, writes: a.writes + b.writes };
}
