/** Who is in a group no longer. Groups grant nothing, so this is no part of the access model, but people ask. */
import { memberLabel, type Impact } from "../../../workspace-file/access/index.js";
import type { PlannedObject } from "../../engine/plan/objects.js";

export function leftGroups(objects: readonly PlannedObject[]): Impact[] {
  return objects
    .filter(({ type, operation }) => type === "GroupMember" && operation === "delete")
    .map(({ before = {} }) => {
      const person = called(objects, "WorkspaceMember", "memberId", before["memberId"]) ?? before["member"];
      const group = called(objects, "Group", "groupId", before["groupId"]) ?? before["group"];
      return { kind: "leaves-group", person: label(person), group: String(group) };
    });
}

/** The name of an object of which the number is known. */
function called(objects: readonly PlannedObject[], of: string, output: string, number: unknown): unknown {
  const found = objects.find(({ type, before }) => type === of && before?.[output] === number)?.before;
  return found?.["email"] ?? found?.["name"];
}

const label = (person: unknown) => (typeof person === "number" ? memberLabel(person) : String(person));
