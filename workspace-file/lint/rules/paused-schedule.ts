import type { Rule } from "../rule.js";

export const pausedSchedule: Rule = {
  code: "paused-schedule",
  severity: "info",
  description: "A schedule is paused: the pipeline runs by hand only.",
  remedy: "Take `paused` out, or ignore it with the reason why it is paused, and until when.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      if (pipeline.written["paused"] === true)
        yield linted.atArg(pipeline, "paused", "this schedule starts no runs");
    }
  },
};
