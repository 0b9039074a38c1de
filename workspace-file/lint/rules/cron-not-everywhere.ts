/** Lint rule: a CRON expression has a form that some schedulers do not take. */
import { isAmbiguous, listDifferences } from "../../../resources/index.js";
import type { Rule } from "../rule.js";
import { listSchedules } from "../schedules.js";

export const cronNotEverywhere: Rule = {
  code: "cron-not-everywhere",
  severity: "info",
  description: "Some schedulers refuse a CRON expression, or a single one reads it in another way.",
  remedy:
    "Write it out: `5,20,35,50` instead of `5/15`, and names of weekdays (`MON-FRI`) instead of numbers.",
  *check(linted) {
    for (const { pipeline, forms } of listSchedules(linted))
      for (const difference of listDifferences(forms, (readings) => !isAmbiguous(readings)))
        yield linted.atArg(pipeline, "cron", `schedulers differ in ${difference}`);
  },
};
