/** Lint rule: a schedule is paused, so the pipeline only runs manually. */
import type { Rule } from "../rule.js";

export const pausedSchedule: Rule = {
  code: "paused-schedule",
  severity: "info",
  description: "A schedule is paused, so the pipeline only runs manually.",
  remedy:
    "Remove `paused`, or ignore the finding with the reason, and with the date until which it is paused.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      if (pipeline.written["paused"] === true)
        yield linted.atArg(pipeline, "paused", "this schedule starts no runs");
    }
  },
};
