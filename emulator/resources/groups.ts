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
import { membershipOf } from "../access.js";

const area = "Workspace members, groups, permission sets";

const groupOf = (context: Context): model.GroupRow => context.row(context.store.groups, "group_id", "Group");

function serializeGroupMember(context: Context, group: model.GroupRow, userId: number) {
  const { service, store, workspace } = context;
  const location = service.links.inWorkspace(workspace.domain, "groups", group.id, "members", userId);
  return serializePerson(service, location, store.users.require(userId));
}

function serializeGroupMemberFull(context: Context, group: model.GroupRow, userId: number) {
  const { store, workspace } = context;
  const owner = workspace.ownerId === userId;
  return {
    ...serializeGroupMember(context, group, userId),
    admin: owner || membershipOf(store, workspace, userId)?.admin === true,
    workspace_owner: owner,
  };
}

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
      method: "GET",
      path: "/workspaces/:domain/groups",
      area,
      summary: "Groups of the workspace",
      scopes: ["WORKSPACE"],
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
      method: "POST",
      path: "/workspaces/:domain/groups",
      area,
      summary: "Make a group",
      scopes: ["WORKSPACE"],
      adminOnly: true,
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
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id",
      area,
      summary: "One group",
      scopes: ["WORKSPACE"],
      response: ok(groupSchema),
      handle: (context) => serializeGroup(context.service, context.workspace, groupOf(context)),
    }),
    route({
      method: "PATCH",
      path: "/workspaces/:domain/groups/:group_id",
      area,
      summary: "Rename or describe a group",
      scopes: ["WORKSPACE"],
      adminOnly: true,
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
      method: "DELETE",
      path: "/workspaces/:domain/groups/:group_id",
      area,
      summary: "Delete a group",
      scopes: ["WORKSPACE"],
      adminOnly: true,
      response: deleted,
      handle: (context) => context.store.groups.remove(groupOf(context)),
    }),
    route({
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id/members",
      area,
      summary: "Members of a group",
      scopes: ["WORKSPACE"],
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
      method: "POST",
      path: "/workspaces/:domain/groups/:group_id/members",
      area,
      summary: "Put a member of the workspace into a group",
      scopes: ["WORKSPACE"],
      adminOnly: true,
      body: { id: integer },
      response: created(memberFull),
      handle: (context) => {
        const group = groupOf(context);
        addGroupMember(context.service, context.workspace, group, context.body.id);
        return serializeGroupMemberFull(context, group, context.body.id);
      },
    }),
    route({
      method: "GET",
      path: "/workspaces/:domain/groups/:group_id/members/:member_id",
      area,
      summary: "One member of a group",
      scopes: ["WORKSPACE"],
      response: ok(memberFull),
      handle: (context) => {
        const group = groupOf(context);
        return serializeGroupMemberFull(context, group, memberIn(context, group));
      },
    }),
    route({
      method: "DELETE",
      path: "/workspaces/:domain/groups/:group_id/members/:member_id",
      area,
      summary: "Take a member out of a group",
      scopes: ["WORKSPACE"],
      adminOnly: true,
      response: deleted,
      handle: (context) => {
        const group = groupOf(context);
        removeGroupMember(context.service, group, memberIn(context, group));
      },
    }),
  ],
};
