/** Who administers the workspace, before a plan and after it. */
import type { PlannedObject } from "../../engine/plan/objects.js";
import type { Judged } from "./types.js";

const MEMBER = "WorkspaceMember";

export function membersIn({ objects }: Pick<Judged, "objects">): PlannedObject[] {
  return objects.filter(({ type }) => type === MEMBER);
}

export function emailOf({ before, after, name }: PlannedObject): string {
  const email = after?.["email"] ?? before?.["email"];
  return typeof email === "string" ? email : name;
}

/** Whose membership it was; of a new one, whose it will be. */
export function emailBefore({ before, after, name }: PlannedObject): string {
  return emailOf({
    operation: "same",
    type: MEMBER,
    name,
    ...(before ? { before } : after ? { after } : {}),
  });
}

/** Is somebody an administrator after the plan? Who is released stays what they are. */
export function isAdminAfter({ operation, before, after }: PlannedObject): boolean {
  if (operation === "release") return before?.["admin"] === true;
  return operation !== "delete" && after?.["admin"] === true;
}

/** Those whose administrator's right the plan takes away. */
export function lostAdmins(judged: Pick<Judged, "objects">): PlannedObject[] {
  return membersIn(judged).filter((member) => member.before?.["admin"] === true && !isAdminAfter(member));
}

/** Administrators after the plan, among those that the stack manages. */
export function adminsAfter(judged: Pick<Judged, "objects">): PlannedObject[] {
  return membersIn(judged).filter(isAdminAfter);
}
