/** Guards: a plan could remove the access of the calling user, removes a required administrator, or leaves fewer than a number. */
import { isSameSpelling } from "../../../../provider/index.js";
import { normalizePerson } from "../../../../workspace-file/access/access.js";
import type { PlannedObject } from "../../../plan/planned-objects.js";
import { listDeletedProjects, listDeletes } from "../deletes.js";
import type { Guard, Judged } from "../types.js";

/** Memberships that grant access. Groups grant none. */
const MEMBERSHIPS = ["WorkspaceMember", "ProjectMember"];

/** Returns the objects of a plan whose change could remove the access of the calling user. */
export function listLostAccess(judged: Pick<Judged, "objects">): PlannedObject[] {
  const deleted = listDeletes(judged);
  const gone = listDeletedProjects(judged).filter(({ operation }) => operation === "delete");
  return judged.objects.filter(
    (object) =>
      MEMBERSHIPS.includes(object.type) &&
      // Another guard covers the deletion of a whole project.
      !gone.some(({ name }) => object.name.startsWith(`${name}/`)) &&
      object.before !== undefined &&
      (deleted.includes(object) || (object.before["admin"] === true && !isAdminAfter(object))),
  );
}

export const ownAccess: Guard = {
  code: "own-access",
  refuses:
    "Removal of the calling user's own administrator right, or of their membership of the workspace or a project.",
  settings: "`ownAccess: false`",
  setting: "ownAccess",
  judge(judged) {
    const { callerId, callerIsHidden, settings } = judged;
    if (settings.ownAccess === false) return undefined;
    const lost = listLostAccess(judged);
    if (callerIsHidden === true && lost.length > 0) {
      return {
        message: "the token may not identify its user, who may be one of those who lose access",
        objects: lost.map(({ name }) => name),
        remedy: "use a token that may read its user (scope USER_INFO)",
      };
    }
    const own = lost.filter(({ before }) => callerId !== undefined && before?.["memberId"] === callerId);
    if (own.length === 0) return undefined;
    return {
      message: "the calling user would lose their own access",
      objects: own.map(({ name }) => name),
      remedy: "ask another administrator to do it, or --ignore-guard own-access",
      remedyInPolicy: "ask another administrator to do it",
    };
  },
};

export const requiredAdmins: Guard = {
  code: "required-admins",
  refuses: "A plan that removes the administrator right of somebody who must have it.",
  settings: "`requiredAdmins`",
  setting: "requiredAdmins",
  judge(judged) {
    const required = (judged.settings.requiredAdmins ?? []).map(normalizePerson);
    // The plan does not change members that were never declared. A changed address replaces the member.
    const missing = listMembers(judged).filter(
      (member) =>
        required.includes(normalizePerson(getEmailBefore(member))) &&
        member.operation !== "release" &&
        !(isAdminAfter(member) && isSameSpelling("email", getEmail(member), getEmailBefore(member))),
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

export function listMembers({ objects }: Pick<Judged, "objects">): PlannedObject[] {
  return objects.filter(({ type }) => type === "WorkspaceMember");
}

function getEmail({ before, after, name }: PlannedObject): string {
  return formatAddress(name, after?.["email"] ?? before?.["email"]);
}

/** Returns the e-mail address of a member before the plan, or of a new one after it. */
function getEmailBefore({ before, after, name }: PlannedObject): string {
  return formatAddress(name, (before ?? after)?.["email"]);
}

const formatAddress = (name: string, email: unknown) => (typeof email === "string" ? email : name);

/** Reports whether a member is an administrator after the plan. Released members stay unchanged. */
function isAdminAfter({ operation, before, after }: PlannedObject): boolean {
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
