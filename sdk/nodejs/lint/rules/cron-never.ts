import { CronPattern, Cron } from "croner";
import { schedules } from "../schedules.js";
import { pipelineFile } from "../example-files.js";
import type { Rule } from "../rule.js";

export const cronNever: Rule = {
  code: "cron-never",
  severity: "error",
  description: "A CRON expression never comes true, or is none.",
  remedy:
    "Five fields: minute, hour, day of the month, month, day of the week. `0 2 * * *` is every night at two.",
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
      const message = complaint(cron, linted.now);
      if (message !== undefined) yield linted.atArg(pipeline, "cron", message);
    }
  },
};

function complaint(cron: string, now: Date): string | undefined {
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && !cron.trim().startsWith("@"))
    return `a CRON expression has five fields (minute, hour, day, month, weekday): this one has ${fields}`;
  try {
    new CronPattern(cron, "UTC");
  } catch (error) {
    return `this is no CRON expression: ${(error as Error).message.replace(/^CronPattern: /, "")}`;
  }
  return new Cron(cron, { timezone: "UTC" }).nextRun(now) === null
    ? "this never comes true: no run will start"
    : undefined;
}
