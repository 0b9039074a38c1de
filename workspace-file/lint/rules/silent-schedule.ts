/** Lint rule: a scheduled pipeline notifies nobody when it fails, and no push draws attention to it. */
import { listRunningActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const silentSchedule: Rule = {
  code: "silent-schedule",
  severity: "info",
  description: "A scheduled pipeline notifies nobody when it fails, and no push draws attention to it.",
  remedy: "Add an action with `triggerTime: ON_FAILURE`, such as CHAT, SMS or HTTP.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      if (pipeline.written["triggerMode"] !== "SCHEDULED") continue;
      const actions = listRunningActions(linted, pipeline);
      if (actions.length === 0 || actions.some(({ written }) => written["triggerTime"] === "ON_FAILURE"))
        continue;
      yield linted.atEntry(
        pipeline,
        "no action runs ON_FAILURE: a failed run of this schedule goes unnoticed",
      );
    }
  },
};
