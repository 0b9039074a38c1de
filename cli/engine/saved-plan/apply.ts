/** Applies exactly a saved plan, or nothing. */
import { CliError } from "../../errors.js";
import type { Allowances } from "../../policies/guards/index.js";
import type { CheckedPlan, CheckOptions } from "../plan/checked-plan.js";
import type { OpenStack, StackOptions } from "../stack/open.js";
import { changedFiles, planDifferences, otherTarget, tooOld } from "./compare.js";
import { aboutRun, savedPlanOf } from "./saved-plan.js";
import type { SavedPlan } from "./schema.js";
import { readPlan, type StoredPlan } from "./store.js";

/** @throws {CliError} when the file is not a plan, or is too old */
export function openPlan(file: string, maxAgeMs: number | undefined): StoredPlan {
  const stored = readPlan(file);
  refuseFor(tooOld(stored.plan, maxAgeMs, new Date()));
  if (stored.plan.pulumiPlan === null)
    throw new CliError(
      `${file} holds no plan that can be carried out: a protected object would be deleted. ` +
        `Name it (--delete-project, --allow-delete) at the preview`,
    );
  return stored;
}

/** Adds the options of the preview; the stack is the plan's unless another one is named. */
export function withFlagsOf<O extends CheckOptions & StackOptions>(
  options: O,
  plan: SavedPlan | undefined,
): O {
  if (plan === undefined) return options;
  const { allowances } = plan.guards;
  const lists = ["allowDelete", "deleteProject", "ignoreGuard"] as const;
  const merged: Allowances = {
    ...allowances,
    ...Object.fromEntries(
      lists.map((name) => [name, [...(allowances[name] ?? []), ...(options[name] ?? [])]]),
    ),
  };
  return { ...merged, stack: plan.stack, ...options, ...pick(merged, lists), refresh: plan.refreshed };
}

/** Checks the plan before anything is read. @throws {CliError} when it is for another stack, workspace or file, or the file has changed */
export function refuseElsewhere(saved: SavedPlan, open: OpenStack): void {
  const now = aboutRun(open);
  refuseFor([...otherTarget(saved, now), ...changedFiles(saved, now)]);
}

/** @throws {CliError} when the current plan differs from the saved one */
export function restrictedTo(
  saved: SavedPlan,
  open: OpenStack,
  plan: CheckedPlan,
  options: CheckOptions,
): void {
  refuseFor(planDifferences(saved, savedPlanOf(open, plan, options, saved.pulumiPlan, saved.declared.salt)));
}

function refuseFor(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  const text = reasons.length === 1 ? reasons[0] : ["", ...reasons].join("\n  ");
  throw new CliError(
    `the saved plan is not carried out, nothing was changed: ${text}. Make the plan anew with "workspacectl preview -o"`,
  );
}

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}
