/** Lint rule: a member of the workspace is not an administrator, and is in no group and no project. */
import type { Entry } from "../../load/entries.js";
import type { Rule } from "../rule.js";

export const unusedMember: Rule = {
  code: "unused-member",
  severity: "info",
  description: "A member of the workspace is not an administrator, and is in no group and no project.",
  remedy: "Add the member to a project or a group, or remove the member.",
  *check(linted) {
    const memberships = [...linted.of("GroupMember"), ...linted.of("ProjectMember")].map(({ key }) => key);
    const listed = [...linted.of("Group"), ...linted.of("Project")].flatMap(listMembers);
    const used = new Set([...memberships, ...listed]);
    for (const member of linted.of("WorkspaceMember")) {
      if (member.written["admin"] === true || used.has(member.key)) continue;
      yield linted.atEntry(member, `${member.key} is in no group and no project`);
    }
  },
};

/** Returns the members that a group or project lists as an argument. */
function listMembers({ written }: Entry): string[] {
  const members = written["members"];
  if (!Array.isArray(members)) return [];
  return (members as unknown[]).map((item) =>
    typeof item === "object" && item !== null ? String((item as { member?: unknown }).member) : String(item),
  );
}
