import { nameOrId } from "../definition/primitives.js";
import { defineResource, htmlUrl, resolvedId } from "../definition/definition.js";
import { keys } from "../definition/lists.js";
import { reasonNotToDelete, reasonToKeep } from "./memberships/memberships.js";
import { groupReference, memberReference, notSent } from "../definition/references.js";

/** Spec, Endpoints: Workspace members, groups, permission sets. */
export const groupMember = defineResource({
  type: "GroupMember",
  noun: "group member",
  description: "The membership of a person in a group.",
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
  identity: { state: "memberId", wire: "id" },
  naturalKey: ["group", "member"],
  replaceOn: ["group", "member"],
  references: { group: groupReference, member: memberReference },
  wire: { group: notSent, member: { to: (id) => ({ id }), from: (live) => live["id"], keys: () => ["id"] } },
  document: {
    section: "members",
    under: { Group: "group" },
    keyedBy: "member",
    form: "keys",
    heldWhen: "exclusive",
  },
  examples: { create: { group: "@Group", member: "@WorkspaceMember" } },

  undeclared: (context, live) => reasonToKeep(context, Number(live["id"])),
  keepInstead: (context, at) => reasonNotToDelete(context, Number(at["memberId"])),
  matches: (live, at) => live["id"] === at["memberId"],
  list: ({ api, workspace }, at) => ({
    kind: "list",
    key: keys.groupMembers(Number(at["groupId"])),
    load: () => api.groupMembers.list(workspace, Number(at["groupId"])).toArray(),
  }),
  sources(context, at) {
    const [group, member] = [Number(at["groupId"]), Number(at["memberId"])];
    const load = () => context.api.groupMembers.get(context.workspace, group, member);
    return [this.list(context, at)!, { kind: "single", key: `groups/${group}/members/${member}`, load }];
  },
  create: ({ api, workspace }, _body, at) =>
    api.groupMembers.create(workspace, Number(at["groupId"]), { id: Number(at["memberId"]) }),
  delete: ({ api, workspace }, at) =>
    api.groupMembers.delete(workspace, Number(at["groupId"]), Number(at["memberId"])),
});
