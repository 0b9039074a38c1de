import { adminsAfter, emailOf, lostAdmins } from "../admins.js";
import type { Guard } from "../types.js";

export const minimumAdmins: Guard = {
  code: "minimum-admins",
  refuses:
    "Taking an administrator away when fewer than a number would be left, counting those that the file does not declare.",
  settings: "`minimumAdmins`",
  judge(judged) {
    const minimum = judged.settings.minimumAdmins ?? 0;
    const lost = lostAdmins(judged);
    const left = adminsAfter(judged).length + (judged.otherAdmins ?? 0);
    if (lost.length === 0 || left >= minimum) return undefined;
    const who = lost.map(emailOf).join(", ");
    return {
      message: `${who} would be an administrator no longer, and ${left} would be left where at least ${minimum} are wanted`,
      objects: lost.map(({ name }) => name),
      remedy: "declare another member with admin: true first, or --ignore-guard minimum-admins",
    };
  },
};
