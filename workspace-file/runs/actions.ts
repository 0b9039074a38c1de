/** Which actions of a pipeline run, and when: only what the specification says. */
import { isRecord } from "../../diff/structural-diff.js";
import type { Fields } from "../../resources/index.js";

export interface ActionInRun {
  readonly name: string;
  readonly type: string;
  /** Condition under which it runs. */
  readonly condition?: string;
  /** Reason why it is not known whether, or when, it runs. */
  readonly notKnown?: string;
}

/** Actions of a run, in order. */
export interface RunActions {
  /** Actions of every run. */
  readonly always: readonly ActionInRun[];
  /** Actions of a run that fails. */
  readonly onFailure: readonly ActionInRun[];
  /** Actions of a run that succeeds after one that failed. */
  readonly onBackToSuccess: readonly ActionInRun[];
  /** Actions of which the specification does not say when they run. */
  readonly notKnown: readonly ActionInRun[];
  /** Names of the actions that do not run. */
  readonly disabled: readonly string[];
}

const MOMENTS: Readonly<Record<string, "always" | "onFailure" | "onBackToSuccess">> = {
  ON_EVERY_EXECUTION: "always",
  ON_FAILURE: "onFailure",
  ON_BACK_TO_SUCCESS: "onBackToSuccess",
};

/** @param actions arguments of the actions, in order */
export function splitActions(actions: readonly Fields[]): RunActions {
  const timed = { always: [], onFailure: [], onBackToSuccess: [] } as Record<
    "always" | "onFailure" | "onBackToSuccess",
    ActionInRun[]
  >;
  const [notKnown, disabled]: [ActionInRun[], string[]] = [[], []];
  for (const args of actions) {
    const action = { name: String(args["name"]), type: String(args["type"]) };
    const time = String(args["triggerTime"]);
    const moment = MOMENTS[time];
    if (args["disabled"] === true) disabled.push(action.name);
    else if (moment === undefined)
      notKnown.push({ ...action, notKnown: `the specification does not say when ${time} is` });
    else timed[moment].push({ ...action, ...describeConditions(args) });
  }
  return { ...timed, notKnown, disabled };
}

function describeConditions(args: Fields): Pick<ActionInRun, "condition" | "notKnown"> {
  const notKnown = explainSkipped(args);
  const first = args["triggerTime"] === "ON_FAILURE" && args["runOnlyOnFirstFailure"] === true;
  return {
    ...(first ? { condition: "only if the run before did not fail" } : {}),
    ...(notKnown === undefined ? {} : { notKnown }),
  };
}

/** Fields of an action of another type that decide whether it runs, in the service's own names. */
const DECIDING = ["disabled", "trigger_conditions", "trigger_time", "run_only_on_first_failure", "run_next"];

function explainSkipped({ disabled, triggerConditions, runNext, fields }: Fields): string | undefined {
  if (Array.isArray(triggerConditions) && triggerConditions.length > 0)
    return "it has trigger conditions, which the specification does not describe";
  if (disabled != null && disabled !== false) return "it is not known whether it is disabled";
  if (isRecord(fields)) {
    const deciding = DECIDING.filter((name) => name in fields);
    if (deciding.length > 0) return `the specification does not describe ${deciding.join(", ")} of this type`;
  }
  if (typeof runNext === "string" && runNext.endsWith("_PARALLEL"))
    return "the next action starts in parallel, and the specification does not say what its failure does then";
  return undefined;
}
