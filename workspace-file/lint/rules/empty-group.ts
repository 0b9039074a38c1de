/** Lint rule: a group has no members. */
import type { Rule } from "../rule.js";

export const emptyGroup: Rule = {
  code: "empty-group",
  severity: "warning",
  description: "A group has no members.",
  remedy:
    "Declare its members, remove the group, or set `external: true` if its members are managed elsewhere.",
  *check(linted) {
    for (const group of linted.of("Group")) {
      const listed = group.written["members"];
      const members = Array.isArray(listed) ? listed.length : linted.under(group, "GroupMember").length;
      if (members === 0) yield linted.atEntry(group, `group "${group.key}" has no members`);
    }
  },
};
