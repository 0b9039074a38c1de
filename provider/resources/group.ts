import { z } from "zod";
import { clearableText, id, nameOrId, text } from "../definition/primitives.js";
import { defineResource, htmlUrl, output } from "../definition/definition.js";
import {
  exclusive,
  exclusiveRule,
  exclusiveWire,
  holdingOf,
  membersWire,
  personLabel,
} from "./memberships/exclusive.js";
import { keys } from "../definition/lists.js";
import { bringPeople, changePeople, peopleSource } from "./memberships/memberships.js";
import { groupPeople } from "./memberships/lists.js";
import { memberReference } from "../definition/references.js";

/** Spec, Resources: Group; Endpoints: Workspace members, groups, permission sets. */
export const group = defineResource({
  type: "Group",
  noun: "group",
  description: "A named set of workspace members.",
  args: {
    name: text.describe("Name of the group. A change renames it in place."),
    description: clearableText.optional().describe("What the group is for."),
    members: z
      .array(nameOrId)
      .optional()
      .describe(
        "With `exclusive: true`, everybody in the group: WorkspaceMembers, their numbers or e-mail addresses.",
      ),
    exclusive,
  },
  outputs: {
    groupId: output("id", id.describe("Number of the group.")),
    memberIds: { schema: z.array(id).optional().describe("Numbers of `members`.") },
    htmlUrl,
  },
  id: ["groupId"],
  identity: { state: "groupId", wire: "id" },
  naturalKey: ["name"],
  sets: ["members"],
  references: { members: { ...memberReference, into: "memberIds", list: true, label: personLabel } },
  wire: { members: membersWire(({ id }) => id), exclusive: exclusiveWire },
  document: { section: "groups", under: { workspace: null }, keyedBy: "name", form: "map" },
  examples: {
    create: { name: "QA", description: "Testers", members: ["@WorkspaceMember"], exclusive: true },
    update: { name: "Quality", description: "Release sign-off" },
    outside: { description: "Changed by hand" },
  },

  rules: exclusiveRule("GroupMember"),
  list: ({ api, workspace }) => ({
    kind: "list",
    key: keys.groups,
    load: () => api.groups.list(workspace).toArray(),
  }),
  sources(context, at) {
    const group = Number(at["groupId"]);
    const load = () => context.api.groups.get(context.workspace, group);
    const people = at["exclusive"] === true ? [peopleSource(context, groupPeople(context, at))] : [];
    return [this.list(context, at)!, ...people, { kind: "single", key: `groups/${group}`, load }];
  },
  holds(_context, at) {
    const { name: group, groupId } = at;
    return holdingOf(keys.groupMembers(Number(groupId)), at, "GroupMember", { group, groupId });
  },
  create: ({ api, workspace }, { members: _, exclusive: _too, ...body }) =>
    api.groups.create(workspace, body as { name: string }),
  completion: {
    args: ["members", "exclusive"],
    async run(context, live, at) {
      if (at["exclusive"] !== true) return undefined;
      return { ...live, members: await bringPeople(context, groupPeople(context, at)) };
    },
  },
  async update(context, sent, at) {
    const group = Number(at["groupId"]);
    const { members: _, exclusive: _too, ...body } = sent;
    const updated =
      Object.keys(body).length === 0
        ? { id: group }
        : await context.api.groups.update(context.workspace, group, body);
    return { ...updated, ...(await changePeople(context, sent, at, () => groupPeople(context, at))) };
  },
  delete: ({ api, workspace }, at) => api.groups.delete(workspace, Number(at["groupId"])),
});
