import type { Rule } from "../rule.js";

export const grantsNothing: Rule = {
  code: "grants-nothing",
  severity: "warning",
  description: "A permission set denies everything: a member of a project who has it can do nothing there.",
  remedy: "Allow something, or take the member out of the project instead.",
  examples: {
    bad: `version: 1
members:
  ann@example.com: { admin: true }
permissionSets:
  guests: { description: May look, repositoryAccessLevel: DENIED, pipelineAccessLevel: DENIED }
projects:
  web:
    members: { ann@example.com: guests }
`,
    good: `version: 1
members:
  ann@example.com: { admin: true }
permissionSets:
  guests: { description: May look, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: READ_ONLY }
projects:
  web:
    members: { ann@example.com: guests }
`,
  },
  *check(linted) {
    for (const set of linted.of("PermissionSet")) {
      const { repositoryAccessLevel, pipelineAccessLevel } = set.written;
      if (repositoryAccessLevel === "DENIED" && pipelineAccessLevel === "DENIED")
        yield linted.atEntry(set, `permission set "${set.key}" allows nothing`);
    }
  },
};
