/** Lint rule: a CRON expression never matches any time. */
import { cronForms, listNextRuns } from "../../../resources/index.js";
import type { Rule } from "../rule.js";
import { listSchedules } from "../schedules.js";

const bothMustMatch = cronForms["days-and-weekdays"].readings["days that match both"].join(", ");

export const cronNever: Rule = {
  code: "cron-never",
  severity: "error",
  description: "A CRON expression never matches any time.",
  remedy: "Use a day that exists in the month. `0 2 * * *` is every night at two.",
  *check(linted) {
    for (const { pipeline, times } of listSchedules(linted)) {
      if (times === undefined) continue;
      const matches = (rule: "either" | "both") => listNextRuns(times, linted.now, 1, rule).length > 0;
      if (!matches("either"))
        yield linted.atArg(pipeline, "cron", "this never matches any time: no run will start");
      else if (!matches("both"))
        yield linted.atArg(
          pipeline,
          "cron",
          `this never matches any time where a day has to match both fields, as in ${bothMustMatch}`,
        );
    }
  },
};
