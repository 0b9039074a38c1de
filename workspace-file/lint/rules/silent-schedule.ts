import { runningActions } from "../actions.js";
import { pipelineFile } from "../example-files.js";
import type { Rule } from "../rule.js";

export const silentSchedule: Rule = {
  code: "silent-schedule",
  severity: "info",
  description: "A scheduled pipeline tells nobody when it fails: no push makes anybody look at it.",
  remedy: "Add an action with `triggerTime: ON_FAILURE`, such as CHAT, SMS or HTTP.",
  examples: {
    bad: pipelineFile(
      "nightly",
      `triggerMode: SCHEDULED
cron: 0 2 * * *
refType: BRANCH
refName: main`,
      `
- { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
`,
    ),
    good: pipelineFile(
      "nightly",
      `triggerMode: SCHEDULED
cron: 0 2 * * *
refType: BRANCH
refName: main`,
      `
- { name: Is it up?, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
- { name: Alarm, type: SMS, triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+15550100" }
`,
    ),
  },
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      if (pipeline.written["triggerMode"] !== "SCHEDULED") continue;
      const actions = runningActions(linted, pipeline);
      if (actions.length === 0 || actions.some(({ written }) => written["triggerTime"] === "ON_FAILURE"))
        continue;
      yield linted.atEntry(
        pipeline,
        "no action runs ON_FAILURE: a failed run of this schedule goes unnoticed",
      );
    }
  },
};
