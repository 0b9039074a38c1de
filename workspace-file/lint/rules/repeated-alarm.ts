/** Lint rule: a notification is sent for each of several consecutive failures, so people stop reading it. */
import type { Rule } from "../rule.js";

export const repeatedAlarm: Rule = {
  code: "repeated-alarm",
  severity: "info",
  description: "A notification is sent for each of several consecutive failures, so people stop reading it.",
  remedy: "Set `runOnlyOnFirstFailure: true`.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      const { type, triggerTime, runOnlyOnFirstFailure } = action.written;
      const notifiesPeople = type === "SMS" || type === "CHAT";
      if (notifiesPeople && triggerTime === "ON_FAILURE" && runOnlyOnFirstFailure === false)
        yield linted.atArg(action, "runOnlyOnFirstFailure", "this is sent for every failure in a row");
    }
  },
};
