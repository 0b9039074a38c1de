/** Lint rule: a permission set is not assigned to any member. */
import type { Rule } from "../rule.js";

export const unusedPermissionSet: Rule = {
  code: "unused-permission-set",
  severity: "warning",
  description: "A permission set is not assigned to any member.",
  remedy: "Assign it to a member of a project, or remove it.",
  *check(linted) {
    const members = linted.of("ProjectMember").map(({ written }) => written["permissionSet"]);
    // A project with exclusive members has them as an argument.
    const listed = linted.of("Project").flatMap(({ written }) => toList(written["members"]));
    const used = new Set([...members, ...listed.map((member) => member["permissionSet"])]);
    for (const set of linted.of("PermissionSet")) {
      if (!used.has(set.key))
        yield linted.atEntry(set, `permission set "${set.key}" is not assigned to any member`);
    }
  },
};

function toList(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null);
}
