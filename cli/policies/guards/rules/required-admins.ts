/** Guard: a plan removes a required administrator. */
import { getEmailBefore, getEmail, isAdminAfter, listMembers } from "../admins.js";
import type { Guard } from "../types.js";

export const requiredAdmins: Guard = {
  code: "required-admins",
  refuses: "A plan that removes the administrator right of somebody who must have it.",
  settings: "`requiredAdmins`",
  setting: "requiredAdmins",
  judge(judged) {
    const required = (judged.settings.requiredAdmins ?? []).map((email) => email.toLowerCase());
    // The plan does not change members that were never declared. A changed address replaces the member.
    const missing = listMembers(judged).filter(
      (member) =>
        required.includes(getEmailBefore(member).toLowerCase()) &&
        member.operation !== "release" &&
        !(isAdminAfter(member) && getEmail(member) === getEmailBefore(member)),
    );
    if (missing.length === 0) return undefined;
    return {
      message: `${missing.map(getEmailBefore).join(", ")} must stay an administrator, and would not`,
      objects: missing.map(({ name }) => name),
      remedy: "declare admin: true, or --ignore-guard required-admins",
      remedyInPolicy: "declare admin: true",
    };
  },
};
