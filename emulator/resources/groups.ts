import { integer, nonBlank } from "../fields.js";
import type { Context } from "../context.js";
import { notFound } from "../errors.js";
import type * as model from "../model.js";
import { addGroupMember, createGroup, removeGroupMember } from "../operations/people.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import {
  groupSchema,
  memberFull,
  memberSummary,
  serializeGroup,
  serializePerson,
} from "../serializers/people.js";
import { memberRights } from "../access.js";

const area = "Workspace members, groups, permission sets";
const member = { area, scopes: ["WORKSPACE"] } as const;
const admin = { area, scopes: ["WORKSPACE"], adminOnly: true } as const;

const groupOf = (context: Context): model.GroupRow => context.row(context.store.groups, "group_id", "Group");

function serializeGroupMember(context: Context, group: model.GroupRow, userId: number) {
  const { service, store, workspace } = context;
  const location = service.links.inWorkspace(workspace.domain, "groups", group.id, "members", userId);
  return serializePerson(service, location, store.users.require(userId));
}

const serializeGroupMemberFull = (context: Context, group: model.GroupRow, userId: number) => ({
  ...serializeGroupMember(context, group, userId),
  ...memberRights(context.store, context.workspace, userId),
});

/** Returns the id of the member in the path, who must be in the group. */
function memberIn(context: Context, group: model.GroupRow): number {
  const id = context.id("member_id");
  if (!group.memberIds.includes(id)) throw notFound(`Group member ${id}`);
  return id;
}

export const groupResource: Resource = {
  tables: { groups: { belongsTo: { workspaces: "workspaceId" } } },
  routes: [
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/groups",
      summary: "Groups of the workspace",
      response: listOf("groups", groupSchema),
      handle: (context) => {
        const { service, store, workspace } = context;
        return {
          ...service.links.inWorkspace(workspace.domain, "groups"),
          groups: context
            .all(store.groups.of(workspace.id))
            .map((row) => serializeGroup(service, workspace, row)),
        };
      },
    }),
    route({
      ...admin,
      method: "POST",
      path: "/workspaces/:domain/groups",
      summary: "Make a group",
      body: { name: nonBlank, description: nonBlank.nullish() },
      response: created(groupSchema),
      handle: ({ service, workspace, body }) =>
        serializeGroup(
          service,
          workspace,
          createGroup(service, workspace, body.name, body.description ?? null),
        ),
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id",
      summary: "One group",
      response: ok(groupSchema),
      handle: (context) => serializeGroup(context.service, context.workspace, groupOf(context)),
    }),
    route({
      ...admin,
      method: "PATCH",
      path: "/workspaces/:domain/groups/:group_id",
      summary: "Rename or describe a group",
      body: { name: nonBlank.optional(), description: nonBlank.nullish() },
      response: ok(groupSchema),
      handle: (context) => {
        const { service, store, workspace, body } = context;
        const group = groupOf(context);
        if (body.name !== undefined) group.name = body.name;
        if (body.description !== undefined) group.description = body.description;
        return serializeGroup(service, workspace, store.groups.update(group));
      },
    }),
    route({
      ...admin,
      method: "DELETE",
      path: "/workspaces/:domain/groups/:group_id",
      summary: "Delete a group",
      response: deleted,
      handle: (context) => context.store.groups.remove(groupOf(context)),
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id/members",
      summary: "Members of a group",
      response: listOf("members", memberSummary),
      handle: (context) => {
        const group = groupOf(context);
        const { service, workspace } = context;
        return {
          ...service.links.inWorkspace(workspace.domain, "groups", group.id, "members"),
          members: context.all(group.memberIds).map((id) => serializeGroupMember(context, group, id)),
        };
      },
    }),
    route({
      ...admin,
      method: "POST",
      path: "/workspaces/:domain/groups/:group_id/members",
      summary: "Put a member of the workspace into a group",
      body: { id: integer },
      response: created(memberFull),
      handle: (context) => {
        const group = groupOf(context);
        addGroupMember(context.service, context.workspace, group, context.body.id);
        return serializeGroupMemberFull(context, group, context.body.id);
      },
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id/members/:member_id",
      summary: "One member of a group",
      response: ok(memberFull),
      handle: (context) => {
        const group = groupOf(context);
        return serializeGroupMemberFull(context, group, memberIn(context, group));
      },
    }),
    route({
      ...admin,
      method: "DELETE",
      path: "/workspaces/:domain/groups/:group_id/members/:member_id",
      summary: "Take a member out of a group",
      response: deleted,
      handle: (context) => {
        const group = groupOf(context);
        removeGroupMember(context.service, group, memberIn(context, group));
      },
    }),
  ],
};
