/** A policy that was read, and what a run applies. */
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { CustomRule } from "../../../workspace-file/lint/custom/rule.js";
import type { Naming } from "../guards/evaluate.js";
import type { PlanRule } from "./plan-rules.js";

export interface Policy {
  /** Path as it was named. */
  readonly path: string;
  readonly guards: GuardSettings;
  readonly documentRules: readonly CustomRule[];
  readonly planRules: readonly PlanRule[];
  readonly text: string;
  /** Whether a fleet file names it. Then the author of that file can change it too. */
  readonly ofFleet: boolean;
}

/** What a plan is judged by besides the file. */
export interface AppliedPolicies {
  readonly policies: readonly Policy[];
  /** Objects that the caller of this run names, without the options of a saved plan. */
  readonly named: Naming;
}
