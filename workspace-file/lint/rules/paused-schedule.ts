import { pipelineFile } from "../example-files.js";
import type { Rule } from "../rule.js";

export const pausedSchedule: Rule = {
  code: "paused-schedule",
  severity: "info",
  description: "A schedule is paused: the pipeline runs by hand only.",
  remedy: "Take `paused` out, or ignore it with the reason why it is paused, and until when.",
  examples: {
    bad: pipelineFile(
      "nightly",
      `triggerMode: SCHEDULED
cron: 0 2 * * *
paused: true
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
    for (const pipeline of linted.of("Pipeline")) {
      if (pipeline.written["paused"] === true)
        yield linted.atArg(pipeline, "paused", "this schedule starts no runs");
    }
  },
};
