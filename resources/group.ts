/** Resource type `Group`. */
import { z } from "zod";
import { Group } from "../client/api/groups.js";
import { MemberSummary } from "../client/api/summaries.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { createSingleSource, keys, lists } from "./definition/lists.js";
import { clearableText, id, nameOrId, optional, text } from "./definition/primitives.js";
import { memberReference } from "./definition/references.js";
import {
  checkExclusive,
  defineMembersField,
  defineOwnership,
  exclusive,
  exclusiveField,
  labelPerson,
} from "./memberships/exclusive-arguments.js";
import { defineExclusiveMembers } from "./memberships/exclusive-members.js";
import { groupPeople } from "./memberships/lists.js";

const members = defineExclusiveMembers(groupPeople);

/** Spec, Resources: Group; Endpoints: Workspace members, groups, permission sets. */
export const group = defineResource({
  type: "Group",
  noun: "group",
  description: "A named set of workspace members.",
  // Its members are read from a list of their own.
  remote: Group.extend({ members: z.array(MemberSummary).nullish() }),
  args: {
    name: text.describe("Name of the group. A change renames it in place."),
    description: optional(clearableText, "Purpose of the group."),
    members: optional(
      z.array(nameOrId),
      "With `exclusive: true`, all members of the group: WorkspaceMembers, their numbers or e-mail addresses.",
    ),
    exclusive,
  },
  outputs: {
    groupId: output("id", id.describe("Number of the group.")),
    memberIds: { schema: optional(z.array(id), "Numbers of `members`.") },
    htmlUrl,
  },
  id: ["groupId"],
  identity: { state: "groupId", apiName: "id" },
  naturalKey: ["name"],
  spelling: { name: "name" },
  sets: ["members"],
  references: { members: { ...memberReference, idOutput: "memberIds", list: true, label: labelPerson } },
  apiFields: { members: defineMembersField(({ id }) => id), exclusive: exclusiveField },
  brief: ({ members }) => (Array.isArray(members) ? members.map(String).join(", ") : undefined),
  document: { section: "groups", under: { workspace: null }, keyedBy: "name", form: "map" },
  examples: {
    create: { name: "QA", description: "Testers", members: ["@WorkspaceMember"], exclusive: true },
    update: { name: "Quality", description: "Release sign-off" },
    outside: { description: "Changed by hand" },
  },

  rules: checkExclusive("GroupMember"),
  list: lists.groups,
  sources(context, state, list) {
    const load = () => context.api.groups.get(context.workspace, state.groupId);
    return [...list, ...members.sources(context, state), createSingleSource(`groups/${state.groupId}`, load)];
  },
  owns: (_context, state) =>
    defineOwnership(keys.groupMembers(state.groupId), state, "GroupMember", {
      group: state.name,
      groupId: state.groupId,
    }),
  create: ({ api, workspace }, { members: _, exclusive: _too, ...body }) =>
    api.groups.create(workspace, body),
  afterCreate: members.afterCreate,
  async update(context, sent, state) {
    const { members: _, exclusive: _too, ...body } = sent;
    const updated =
      Object.keys(body).length === 0
        ? { id: state.groupId }
        : await context.api.groups.update(context.workspace, state.groupId, body);
    return { ...updated, ...(await members.update(context, sent, state)) };
  },
  delete: ({ api, workspace }, { groupId }) => api.groups.delete(workspace, groupId),
});
