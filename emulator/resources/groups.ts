/** Endpoints and tables of groups. */
import { getMemberRights } from "../access.js";
import type { Context } from "../context.js";
import { createConflictError, createNotFoundError } from "../errors.js";
import { integer, nonBlank } from "../fields.js";
import type * as model from "../model.js";
import { requireUnusedName } from "../operations/names.js";
import { addGroupMember, removeGroupMember } from "../operations/people.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import {
  groupSchema,
  memberFull,
  memberSummary,
  serializeGroup,
  serializePerson,
} from "../serializers/people.js";

const area = "Workspace members, groups, permission sets";
const member = defineEndpoints("/workspaces/:domain/groups", { area, scopes: ["WORKSPACE"] });
const admin = defineEndpoints("/workspaces/:domain/groups", { area, scopes: ["WORKSPACE"], adminOnly: true });

const getGroup = (context: Context): model.GroupRow => context.row(context.store.groups, "group_id", "Group");

function serializeGroupMember(context: Context, group: model.GroupRow, userId: number) {
  const { service, store, workspace } = context;
  const location = service.links.inWorkspace(workspace.domain, "groups", group.id, "members", userId);
  return serializePerson(service, location, store.users.require(userId));
}

const serializeGroupMemberFull = (context: Context, group: model.GroupRow, userId: number) => ({
  ...serializeGroupMember(context, group, userId),
  ...getMemberRights(context.store, context.workspace, userId),
});

/** Returns the id of the member in the path, who must be in the group. */
function parseMemberIn(context: Context, group: model.GroupRow): number {
  const id = context.id("member_id");
  if (!group.memberIds.includes(id)) throw createNotFoundError(`Group member ${id}`);
  return id;
}

export const groupResource: Resource = {
  tables: { groups: { belongsTo: { workspaces: "workspaceId" } } },
  routes: [
    member("GET", "Groups of the workspace", {
      response: respondList("groups", groupSchema),
      handle: (context) =>
        context.all(context.store.groups.of(context.workspace.id)).map((row) => serializeGroup(context, row)),
    }),
    admin("POST", "Create a group", {
      body: { name: nonBlank, description: nonBlank.nullish() },
      response: respondCreated(groupSchema),
      handle: (context) => {
        const { service, store, workspace, body } = context;
        const { name, description = null } = body;
        requireUnusedName(service, "groups", store.groups.of(workspace.id), name);
        const values = { workspaceId: workspace.id, name, description, memberIds: [] };
        return serializeGroup(context, store.groups.insert(values));
      },
    }),
    member("GET /:group_id", "One group", {
      response: respondOk(groupSchema),
      handle: (context) => serializeGroup(context, getGroup(context)),
    }),
    admin("PATCH /:group_id", "Rename or describe a group", {
      body: { name: nonBlank.optional(), description: nonBlank.nullish() },
      response: respondOk(groupSchema),
      handle: (context) => {
        const { service, store, workspace, body } = context;
        const group = getGroup(context);
        requireUnusedName(service, "groups", store.groups.of(workspace.id), body.name, group.id);
        Object.assign(group, body);
        return serializeGroup(context, store.groups.update(group));
      },
    }),
    admin("DELETE /:group_id", "Delete a group", {
      handle: (context) => {
        const { service, store } = context;
        const group = getGroup(context);
        if (group.memberIds.length > 0 && service.settings.keptWhileUsed.includes("groups"))
          throw createConflictError(`The group '${group.name}' has members.`);
        store.groups.remove(group);
      },
    }),
    member("GET /:group_id/members", "Members of a group", {
      response: respondList("members", memberSummary),
      handle: (context) => {
        const group = getGroup(context);
        return context.all(group.memberIds).map((id) => serializeGroupMember(context, group, id));
      },
    }),
    admin("POST /:group_id/members", "Add a member of the workspace to a group", {
      body: { id: integer },
      response: respondCreated(memberFull),
      handle: (context) => {
        const group = getGroup(context);
        addGroupMember(context, group, context.body.id);
        return serializeGroupMemberFull(context, group, context.body.id);
      },
    }),
    member("GET /:group_id/members/:member_id", "One member of a group", {
      response: respondOk(memberFull),
      handle: (context) => {
        const group = getGroup(context);
        return serializeGroupMemberFull(context, group, parseMemberIn(context, group));
      },
    }),
    admin("DELETE /:group_id/members/:member_id", "Remove a member from a group", {
      handle: (context) => {
        const group = getGroup(context);
        removeGroupMember(context.service, group, parseMemberIn(context, group));
      },
    }),
  ],
};
