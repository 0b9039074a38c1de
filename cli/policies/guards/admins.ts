/** Administrators of the workspace before and after a plan. */
import type { PlannedObject } from "../../engine/plan/planned-objects.js";
import type { Judged } from "./types.js";

export function listMembers({ objects }: Pick<Judged, "objects">): PlannedObject[] {
  return objects.filter(({ type }) => type === "WorkspaceMember");
}

export function getEmail({ before, after, name }: PlannedObject): string {
  return formatAddress(name, after?.["email"] ?? before?.["email"]);
}

/** Returns the e-mail address of a member before the plan, or of a new one after it. */
export function getEmailBefore({ before, after, name }: PlannedObject): string {
  return formatAddress(name, (before ?? after)?.["email"]);
}

const formatAddress = (name: string, email: unknown) => (typeof email === "string" ? email : name);

/** Reports whether a member is an administrator after the plan. Released members stay unchanged. */
export function isAdminAfter({ operation, before, after }: PlannedObject): boolean {
  if (operation === "release") return before?.["admin"] === true;
  return after?.["admin"] === true;
}

/** Returns the members that lose administrator rights. */
export function listLostAdmins(judged: Pick<Judged, "objects">): PlannedObject[] {
  return listMembers(judged).filter((member) => member.before?.["admin"] === true && !isAdminAfter(member));
}

/** Returns the administrators after the plan, among the managed members. */
export function listAdminsAfter(judged: Pick<Judged, "objects">): PlannedObject[] {
  return listMembers(judged).filter(isAdminAfter);
}
