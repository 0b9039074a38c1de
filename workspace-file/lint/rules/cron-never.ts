import { Cron } from "croner";
import { isCron } from "../../../provider/definition/formats.js";
import { schedules } from "../schedules.js";
import { pipelineFile } from "../example-files.js";
import type { Rule } from "../rule.js";

export const cronNever: Rule = {
  code: "cron-never",
  severity: "error",
  description: "A CRON expression never comes true.",
  remedy: "Take a day that exists in the month. `0 2 * * *` is every night at two.",
  examples: {
    bad: pipelineFile(
      "nightly",
      `triggerMode: SCHEDULED
cron: 0 2 31 2 *
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
`,
    ),
  },
  *check(linted) {
    for (const { pipeline, cron } of schedules(linted)) {
      // What is no expression at all has been refused, or was made up for the check.
      if (isCron(cron) && new Cron(cron, { timezone: "UTC" }).nextRun(linted.now) === null)
        yield linted.atArg(pipeline, "cron", "this never comes true: no run will start");
    }
  },
};
