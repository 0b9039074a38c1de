/** Lint rule: a CRON expression never matches any time. */
import { Cron } from "croner";
import { isCron } from "../../../resources/definition/formats.js";
import type { Rule } from "../rule.js";
import { listSchedules } from "../schedules.js";

export const cronNever: Rule = {
  code: "cron-never",
  severity: "error",
  description: "A CRON expression never matches any time.",
  remedy: "Use a day that exists in the month. `0 2 * * *` is every night at two.",
  *check(linted) {
    for (const { pipeline, cron } of listSchedules(linted)) {
      // Invalid expressions are refused by the loader, or are mock values.
      if (isCron(cron) && new Cron(cron, { timezone: "UTC" }).nextRun(linted.now) === null)
        yield linted.atArg(pipeline, "cron", "this never matches any time: no run will start");
    }
  },
};
