/** The results of checks. */
import { assumedBehavior, type Behavior } from "../../../assumptions/behavior.js";
import type { Verdict } from "../../../assumptions/profile.js";

export interface CheckResult {
  readonly verdict: Verdict;
  /** What was found, or why nothing was. Never contains a name or a value of the workspace. */
  readonly found: string;
  /** The measured behavior, if one was. */
  readonly value?: Behavior[keyof Behavior];
}

export const reportHolds = (found: string): CheckResult => ({ verdict: "holds", found });
export const reportDiffers = (found: string): CheckResult => ({ verdict: "differs", found });
export const reportUndecided = (why: string): CheckResult => ({ verdict: "undecided", found: why });

/** Compares a measured behavior with the assumed one. */
export function reportBehavior<K extends keyof Behavior>(
  name: K,
  value: Behavior[K],
  found: string,
): CheckResult {
  return { verdict: value === assumedBehavior[name] ? "holds" : "differs", found, value };
}
