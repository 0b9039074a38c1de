import type { Entry } from "../../load/entries.js";
import { canFail, isUnconditional, runningActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const unreachableAction: Rule = {
  code: "unreachable-action",
  severity: "warning",
  description:
    "An action can never run: it waits for a failure (or for the first success after one) of actions that are not there, " +
    "cannot fail, or come after it.",
  remedy: "Place it after the actions it watches, or let it run ON_EVERY_EXECUTION.",
  examples: {
    bad: `version: 1
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Alarm, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+15550100" }
          - { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
`,
    good: `version: 1
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
          - { name: Alarm, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+15550100" }
`,
  },
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      const actions = runningActions(linted, pipeline);
      for (const [index, action] of actions.entries()) {
        const reason = whyNever(action, actions.slice(0, index), actions);
        if (reason !== undefined)
          yield linted.atArg(action, "triggerTime", `this action can never run: ${reason}`);
      }
    }
  },
};

function whyNever(action: Entry, before: readonly Entry[], all: readonly Entry[]): string | undefined {
  const when = action.written["triggerTime"];
  if (typeof when !== "string" || isUnconditional(action)) return undefined;
  const running = all.filter(isUnconditional);
  if (running.length === 0) return "no action of the pipeline runs ON_EVERY_EXECUTION";
  if (when !== "ON_FAILURE" && when !== "ON_BACK_TO_SUCCESS") return undefined;
  if (!running.some(canFail)) return "errors of every other action are ignored, so that nothing fails";
  if (when === "ON_FAILURE" && !before.some((other) => isUnconditional(other) && canFail(other)))
    return "nothing before it can fail";
  return undefined;
}
