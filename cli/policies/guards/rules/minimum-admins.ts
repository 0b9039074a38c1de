/** Guard: a plan leaves fewer administrators than a number. */
import { listAdminsAfter, getEmail, listLostAdmins } from "../admins.js";
import type { Guard } from "../types.js";

export const minimumAdmins: Guard = {
  code: "minimum-admins",
  refuses:
    "Removal of an administrator if fewer than the minimum would remain, counting those that the file does not declare.",
  settings: "`minimumAdmins`",
  setting: "minimumAdmins",
  judge(judged) {
    const minimum = judged.settings.minimumAdmins ?? 0;
    const lost = listLostAdmins(judged);
    const left = listAdminsAfter(judged).length + (judged.otherAdmins ?? 0);
    if (lost.length === 0 || left >= minimum) return undefined;
    const who = lost.map(getEmail).join(", ");
    return {
      message: `${who} would no longer be an administrator, and ${left} would remain where at least ${minimum} are required`,
      objects: lost.map(({ name }) => name),
      remedy: "declare another member with admin: true first, or --ignore-guard minimum-admins",
      remedyInPolicy: "declare another member with admin: true first",
    };
  },
};
