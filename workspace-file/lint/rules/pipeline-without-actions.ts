/** Lint rule: a pipeline has no action that runs, so its runs succeed without doing anything. */
import { listRunningActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const pipelineWithoutActions: Rule = {
  code: "pipeline-without-actions",
  severity: "warning",
  description: "A pipeline has no action that runs, so its runs succeed without doing anything.",
  remedy:
    "Declare its actions, remove the pipeline, or set `external: true` if its actions are managed elsewhere.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      if (listRunningActions(linted, pipeline).length > 0) continue;
      const disabled = linted.under(pipeline, "Action").length > 0;
      const what = disabled ? "every action is disabled" : "no action is declared";
      yield linted.atEntry(pipeline, `${what}: a run of this pipeline does nothing`);
    }
  },
};
