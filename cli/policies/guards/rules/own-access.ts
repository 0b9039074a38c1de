/** Guard: a plan could remove the access of the calling user. */
import { isAdminAfter } from "./admins.js";
import { listDeletedProjects, listDeletes } from "../deletes.js";
import type { PlannedObject } from "../../../engine/plan/planned-objects.js";
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
