import { z } from "zod";
import { integer } from "../fields.js";
import { memberRights, projectMember } from "../access.js";
import type { Context } from "../context.js";
import { notFound } from "../errors.js";
import type * as model from "../model.js";
import { requireMember, requirePermissionSet } from "../operations/people.js";
import { addProjectMember } from "../operations/projects.js";
import { pageQuery, sortDirection, sorted } from "../paging.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import {
  projectMemberFull,
  projectMemberSummary,
  serializePermissionSet,
  serializePerson,
} from "../serializers/people.js";

const area = "Projects";
const member = { area, scopes: ["WORKSPACE"] } as const;

const permissionSet = z.object({ id: integer });

function serialize(context: Context, row: model.ProjectMemberRow) {
  const { service, store, workspace } = context;
  const location = service.links.inProject(context, "members", row.userId);
  const set = store.permissionSets.require(row.permissionSetId);
  return {
    ...serializePerson(service, location, store.users.require(row.userId)),
    // The spec returns it to workspace administrators only.
    ...(context.isAdmin ? { permission_set: serializePermissionSet(service, workspace, set) } : {}),
  };
}

const serializeFull = (context: Context, row: model.ProjectMemberRow) => ({
  ...serialize(context, row),
  ...memberRights(context.store, context.workspace, row.userId),
});

function memberOf(context: Context): model.ProjectMemberRow {
  const id = context.id("member_id");
  const row = projectMember(context.store, context.project, id);
  if (row === undefined) throw notFound(`Project member ${id}`);
  return row;
}

const sortKeys = {
  email: (user: model.UserRow) => user.email,
  name: (user: model.UserRow) => user.name ?? "",
} as const;

export const projectMemberResource: Resource = {
  tables: { projectMembers: { belongsTo: { projects: "projectId" }, key: "userId" } },
  routes: [
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/members",
      summary: "Members of a project",
      query: {
        ...pageQuery,
        sort_by: z.enum(["email", "name"]),
        sort_direction: sortDirection,
      },
      response: listOf("members", projectMemberSummary),
      handle: (context) => {
        const { service, store, project, query } = context;
        const rows = store.projectMembers.of(project.id);
        const by = query.sort_by;
        const key =
          by === undefined
            ? undefined
            : (row: model.ProjectMemberRow) => sortKeys[by](store.users.require(row.userId));
        return {
          ...service.links.inProject(context, "members"),
          members: context
            .page(sorted(rows, key, query.sort_direction))
            .map((row) => serialize(context, row)),
        };
      },
    }),
    route({
      ...member,
      method: "POST",
      path: "/workspaces/:domain/projects/:project_name/members",
      summary: "Put a member of the workspace into a project; a non-admin gives own permissions",
      body: { id: integer, permission_set: permissionSet },
      response: created(projectMemberFull),
      handle: (context) => {
        const { service, store, workspace, project, user, body } = context;
        requireMember(service, workspace, body.id);
        const own = context.isAdmin ? undefined : projectMember(store, project, user.id);
        const set =
          own === undefined
            ? requirePermissionSet(service, workspace, body.permission_set.id)
            : store.permissionSets.require(own.permissionSetId);
        return serializeFull(context, addProjectMember(service, project, body.id, set));
      },
    }),
    route({
      ...member,
      method: "GET",
      path: "/workspaces/:domain/projects/:project_name/members/:member_id",
      summary: "One member of a project",
      response: ok(projectMemberFull),
      handle: (context) => serializeFull(context, memberOf(context)),
    }),
    route({
      method: "PATCH",
      path: "/workspaces/:domain/projects/:project_name/members/:member_id",
      area,
      summary: "Give a project member another permission set",
      scopes: ["WORKSPACE"],
      adminOnly: true,
      body: { permission_set: permissionSet },
      response: ok(projectMemberFull),
      handle: (context) => {
        const row = memberOf(context);
        const { id } = requirePermissionSet(
          context.service,
          context.workspace,
          context.body.permission_set.id,
        );
        row.permissionSetId = id;
        return serializeFull(context, context.store.projectMembers.update(row));
      },
    }),
    route({
      ...member,
      method: "DELETE",
      path: "/workspaces/:domain/projects/:project_name/members/:member_id",
      summary: "Take a member out of a project",
      response: deleted,
      handle: (context) => context.store.projectMembers.remove(memberOf(context)),
    }),
  ],
};
