import { emailOf, isAdminAfter, membersIn } from "../admins.js";
import type { Guard } from "../types.js";

export const requiredAdmins: Guard = {
  code: "required-admins",
  refuses: "A plan after which somebody who must be an administrator is none.",
  settings: "`requiredAdmins`",
  judge(judged) {
    const required = judged.settings.requiredAdmins ?? [];
    // Who was never declared is not touched by the plan.
    const missing = membersIn(judged).filter(
      (member) =>
        required.includes(emailOf(member)) && !isAdminAfter(member) && member.operation !== "release",
    );
    if (missing.length === 0) return undefined;
    return {
      message: `${missing.map(emailOf).join(", ")} must be an administrator, and would not be one`,
      objects: missing.map(({ name }) => name),
      remedy: "declare admin: true, or --ignore-guard required-admins",
    };
  },
};
