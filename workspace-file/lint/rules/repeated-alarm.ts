import { pipelineFile } from "../example-files.js";
import type { Rule } from "../rule.js";

export const repeatedAlarm: Rule = {
  code: "repeated-alarm",
  severity: "info",
  description:
    "A notification is sent for every failure in a row, not only for the first: people stop reading it.",
  remedy: "Set `runOnlyOnFirstFailure: true`.",
  examples: {
    bad: pipelineFile(
      "deploy",
      `triggerMode: ON_EVERY_PUSH
refType: BRANCH
refName: main`,
      `
- { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
- { name: Alarm, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: false, recipients: "+15550100" }
`,
    ),
    good: pipelineFile(
      "deploy",
      `triggerMode: ON_EVERY_PUSH
refType: BRANCH
refName: main`,
      `
- { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
- { name: Alarm, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+15550100" }
`,
    ),
  },
  *check(linted) {
    for (const action of linted.of("Action")) {
      const { type, triggerTime, runOnlyOnFirstFailure } = action.written;
      const tellsPeople = type === "SMS" || type === "CHAT";
      if (tellsPeople && triggerTime === "ON_FAILURE" && runOnlyOnFirstFailure === false)
        yield linted.atArg(action, "runOnlyOnFirstFailure", "this is sent for every failure in a row");
    }
  },
};
