/** Resource type `GroupMember`. */
import { Member } from "../client/api/members.js";
import { defineResource, htmlUrl, resolvedId } from "./definition/define-resource.js";
import { createSingleSource, lists } from "./definition/lists.js";
import { nameOrId } from "./definition/primitives.js";
import { groupReference, memberReference, notSent } from "./definition/references.js";
import { findReasonNotToDelete, findReasonToKeep } from "./memberships/memberships.js";

/** Spec, Endpoints: Workspace members, groups, permission sets. */
export const groupMember = defineResource({
  type: "GroupMember",
  noun: "group member",
  description: "The membership of a person in a group.",
  effect: "rights",
  remote: Member,
  args: {
    group: nameOrId.describe("The group: a Group, its number, or its name."),
    member: nameOrId.describe("The person: a WorkspaceMember, the member's number, or the e-mail address."),
  },
  outputs: {
    groupId: resolvedId("Number of the group."),
    memberId: resolvedId("Number of the member."),
    htmlUrl,
  },
  id: ["groupId", "memberId"],
  identity: { state: "memberId", apiName: "id" },
  naturalKey: ["group", "member"],
  adoptsExisting: true,
  replaceOn: ["group", "member"],
  references: { group: groupReference, member: memberReference },
  apiFields: { group: notSent, member: { to: (id) => ({ id }), from: ({ id }) => id, keys: () => ["id"] } },
  document: {
    section: "members",
    under: { Group: "group" },
    keyedBy: "member",
    form: "keys",
    exclusiveWhen: "exclusive",
  },
  examples: { create: { group: "@Group", member: "@WorkspaceMember" } },

  ignoreUnmanaged: (context, { id }) => findReasonToKeep(context, id),
  skipDelete: (context, { memberId }) => findReasonNotToDelete(context, memberId),
  matches: ({ id }, { memberId }) => id === memberId,
  list: (context, { groupId }) => lists.groupMembers(context, groupId),
  sources: ({ api, workspace }, { groupId, memberId }, list) => [
    ...list,
    createSingleSource(`groups/${groupId}/members/${memberId}`, () =>
      api.groupMembers.get(workspace, groupId, memberId),
    ),
  ],
  create: ({ api, workspace }, _body, { groupId, memberId }) =>
    api.groupMembers.create(workspace, groupId, { id: memberId }),
  delete: ({ api, workspace }, { groupId, memberId }) =>
    api.groupMembers.delete(workspace, groupId, memberId),
});
