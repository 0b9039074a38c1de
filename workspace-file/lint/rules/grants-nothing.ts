/** Lint rule: a permission set denies everything, so a project member with it can do nothing. */
import type { Rule } from "../rule.js";

export const grantsNothing: Rule = {
  code: "grants-nothing",
  severity: "warning",
  description: "A permission set denies everything, so a project member with it can do nothing.",
  remedy: "Allow something, or remove the member from the project.",
  *check(linted) {
    for (const set of linted.of("PermissionSet")) {
      const { repositoryAccessLevel, pipelineAccessLevel } = set.written;
      if (repositoryAccessLevel === "DENIED" && pipelineAccessLevel === "DENIED")
        yield linted.atEntry(set, `permission set "${set.key}" allows nothing`);
    }
  },
};
