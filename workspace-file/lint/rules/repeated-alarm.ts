import type { Rule } from "../rule.js";

export const repeatedAlarm: Rule = {
  code: "repeated-alarm",
  severity: "info",
  description:
    "A notification is sent for every failure in a row, not only for the first: people stop reading it.",
  remedy: "Set `runOnlyOnFirstFailure: true`.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      const { type, triggerTime, runOnlyOnFirstFailure } = action.written;
      const tellsPeople = type === "SMS" || type === "CHAT";
      if (tellsPeople && triggerTime === "ON_FAILURE" && runOnlyOnFirstFailure === false)
        yield linted.atArg(action, "runOnlyOnFirstFailure", "this is sent for every failure in a row");
    }
  },
};
