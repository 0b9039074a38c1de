import { Cron } from "croner";
import { isCron } from "../../../provider/definition/formats.js";
import { schedules } from "../schedules.js";
import type { Rule } from "../rule.js";

export const cronNever: Rule = {
  code: "cron-never",
  severity: "error",
  description: "A CRON expression never comes true.",
  remedy: "Take a day that exists in the month. `0 2 * * *` is every night at two.",
  *check(linted) {
    for (const { pipeline, cron } of schedules(linted)) {
      // What is no expression at all has been refused, or was made up for the check.
      if (isCron(cron) && new Cron(cron, { timezone: "UTC" }).nextRun(linted.now) === null)
        yield linted.atArg(pipeline, "cron", "this never comes true: no run will start");
    }
  },
};
