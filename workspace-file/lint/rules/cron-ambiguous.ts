/** Lint rule: schedulers read a CRON expression in several ways. */
import { isAmbiguous, listDifferences } from "../../../resources/index.js";
import type { Rule } from "../rule.js";
import { listSchedules } from "../schedules.js";

export const cronAmbiguous: Rule = {
  code: "cron-ambiguous",
  severity: "warning",
  description: "A CRON expression has several meanings, and the service documents no scheduler.",
  remedy: "Limit either days of the month or weekdays, and write steps of weekdays as a list: `MON,WED,FRI`.",
  *check(linted) {
    for (const { pipeline, forms } of listSchedules(linted))
      for (const difference of listDifferences(forms, isAmbiguous))
        yield linted.atArg(pipeline, "cron", `schedulers differ in ${difference}`);
  },
};
