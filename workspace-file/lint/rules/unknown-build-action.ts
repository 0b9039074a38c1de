/** Lint rule: an action uses the image of another action that its pipeline does not have, or that comes later. */
import { formatHint } from "../../../resources/definition/problems.js";
import type { Rule } from "../rule.js";

export const unknownBuildAction: Rule = {
  code: "unknown-build-action",
  severity: "warning",
  description:
    "An action uses the image of another action that its pipeline does not have, or that comes later.",
  remedy: "Use an earlier action of the same pipeline.",
  *check(linted) {
    for (const pipeline of linted.declared("Pipeline")) {
      const actions = linted.under(pipeline, "Action");
      const names = actions.map(({ key, written }) =>
        typeof written["name"] === "string" ? written["name"] : key,
      );
      for (const [index, action] of actions.entries()) {
        const name = linted.text(action, "containerBuildActionName");
        if (name === undefined || names.slice(0, index).includes(name)) continue;
        const reason = names.includes(name)
          ? `the action "${name}" comes only after this one`
          : `the pipeline declares no action "${name}"${formatHint(name, names)}`;
        yield linted.atArg(action, "containerBuildActionName", reason);
      }
    }
  },
};
