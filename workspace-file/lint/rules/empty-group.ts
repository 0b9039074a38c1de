import type { Rule } from "../rule.js";

export const emptyGroup: Rule = {
  code: "empty-group",
  severity: "warning",
  description: "A group has no members.",
  remedy:
    "Declare its members, take the group out, or make it `external: true` when its members are managed elsewhere.",
  *check(linted) {
    for (const group of linted.of("Group")) {
      const held = group.written["members"];
      const members = Array.isArray(held) ? held.length : linted.under(group, "GroupMember").length;
      if (members === 0) yield linted.atEntry(group, `group "${group.key}" has no members`);
    }
  },
};
