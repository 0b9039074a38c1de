import type { Rule } from "../rule.js";

export const grantsNothing: Rule = {
  code: "grants-nothing",
  severity: "warning",
  description: "A permission set denies everything: a member of a project who has it can do nothing there.",
  remedy: "Allow something, or take the member out of the project instead.",
  *check(linted) {
    for (const set of linted.of("PermissionSet")) {
      const { repositoryAccessLevel, pipelineAccessLevel } = set.written;
      if (repositoryAccessLevel === "DENIED" && pipelineAccessLevel === "DENIED")
        yield linted.atEntry(set, `permission set "${set.key}" allows nothing`);
    }
  },
};
