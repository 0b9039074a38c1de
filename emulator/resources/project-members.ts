/** Endpoints and tables of project members. */
import { z } from "zod";
import { findPermissionSet, findProjectMember, getMemberRights } from "../access.js";
import type { Context } from "../context.js";
import { createNotFoundError } from "../errors.js";
import { integer } from "../fields.js";
import type * as model from "../model.js";
import { requireMember, requirePermissionSet } from "../operations/people.js";
import { addProjectMember } from "../operations/projects.js";
import { defineSortQuery, sortItems } from "../paging.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import {
  projectMemberFull,
  projectMemberSummary,
  serializePermissionSet,
  serializePerson,
} from "../serializers/people.js";

const area = "Projects";
const member = defineEndpoints("/workspaces/:domain/projects/:project_name/members", {
  area,
  scopes: ["WORKSPACE"],
});

const permissionSet = z.object({ id: integer });

function serialize(context: Context, row: model.ProjectMemberRow) {
  const { service, store } = context;
  const location = service.links.inProject(context, "members", row.userId);
  const set = store.permissionSets.require(row.permissionSetId);
  return {
    ...serializePerson(service, location, store.users.require(row.userId)),
    // The spec returns it to workspace administrators only.
    ...(context.isAdmin ? { permission_set: serializePermissionSet(context, set) } : {}),
  };
}

const serializeFull = (context: Context, row: model.ProjectMemberRow) => ({
  ...serialize(context, row),
  ...getMemberRights(context.store, context.workspace, row.userId),
});

function getMember(context: Context): model.ProjectMemberRow {
  const id = context.id("member_id");
  const row = findProjectMember(context.store, context.project, id);
  if (row === undefined) throw createNotFoundError(`Project member ${id}`);
  return row;
}

export const projectMemberResource: Resource = {
  tables: { projectMembers: { belongsTo: { projects: "projectId" }, key: "userId" } },
  routes: [
    member("GET", "Members of a project", {
      query: defineSortQuery("email", "name"),
      response: respondList("members", projectMemberSummary),
      handle: (context) => {
        const { store, project, query } = context;
        const userOf = (row: model.ProjectMemberRow) => store.users.require(row.userId);
        const keys = {
          email: (row: model.ProjectMemberRow) => userOf(row).email,
          name: (row: model.ProjectMemberRow) => userOf(row).name ?? "",
        };
        const rows = sortItems(store.projectMembers.of(project.id), keys, query);
        return context.page(rows).map((row) => serialize(context, row));
      },
    }),
    member(
      "POST",
      "Add a member of the workspace to a project; a non-admin can only give their own permissions",
      {
        body: { id: integer, permission_set: permissionSet },
        response: respondCreated(projectMemberFull),
        handle: (context) => {
          const { service, store, project, user, body } = context;
          requireMember(context, body.id);
          const own = context.isAdmin ? undefined : findPermissionSet(store, project, user.id);
          const set = own ?? requirePermissionSet(context, body.permission_set.id);
          return serializeFull(context, addProjectMember(service, project, body.id, set));
        },
      },
    ),
    member("GET /:member_id", "One member of a project", {
      response: respondOk(projectMemberFull),
      handle: (context) => serializeFull(context, getMember(context)),
    }),
    member("PATCH /:member_id", "Give a project member another permission set", {
      adminOnly: true,
      body: { permission_set: permissionSet },
      response: respondOk(projectMemberFull),
      handle: (context) => {
        const row = getMember(context);
        row.permissionSetId = requirePermissionSet(context, context.body.permission_set.id).id;
        return serializeFull(context, context.store.projectMembers.update(row));
      },
    }),
    member("DELETE /:member_id", "Remove a member from a project", {
      handle: (context) => context.store.projectMembers.remove(getMember(context)),
    }),
  ],
};
