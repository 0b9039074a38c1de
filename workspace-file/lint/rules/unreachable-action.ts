/** Lint rule: an action can never run. */
import type { Entry } from "../../load/entries.js";
import { canFail, isUnconditional, listRunningActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const unreachableAction: Rule = {
  code: "unreachable-action",
  severity: "warning",
  description:
    "An action can never run: it waits for a failure (or for the first success after one) of actions that do not exist, " +
    "cannot fail, or come later.",
  remedy: "Move it after the actions for which it waits, or let it run ON_EVERY_EXECUTION.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      const actions = listRunningActions(linted, pipeline);
      const watched = actions.filter(isUnconditional);
      const failing = watched.filter(canFail);
      let failingBefore = 0;
      for (const action of actions) {
        if (isUnconditional(action)) failingBefore += canFail(action) ? 1 : 0;
        else {
          const reason = explainNever(action, {
            watched: watched.length,
            failing: failing.length,
            failingBefore,
          });
          if (reason !== undefined)
            yield linted.atArg(action, "triggerTime", `this action can never run: ${reason}`);
        }
      }
    }
  },
};

/** Counts of actions that run in every execution: all, those that can fail, and those of them before the action. */
interface Others {
  readonly watched: number;
  readonly failing: number;
  readonly failingBefore: number;
}

function explainNever({ written }: Entry, { watched, failing, failingBefore }: Others): string | undefined {
  const when = written["triggerTime"];
  if (typeof when !== "string") return undefined;
  if (watched === 0) return "no action of the pipeline runs ON_EVERY_EXECUTION";
  if (when !== "ON_FAILURE" && when !== "ON_BACK_TO_SUCCESS") return undefined;
  if (failing === 0) return "errors of every other action are ignored, so nothing fails";
  return when === "ON_FAILURE" && failingBefore === 0 ? "nothing before it can fail" : undefined;
}
