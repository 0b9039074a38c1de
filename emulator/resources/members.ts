/** Endpoints and tables of members. */
import { z } from "zod";
import { findMembership, findProjectMember, getMemberRights, shareProject } from "../access.js";
import type { Context } from "../context.js";
import { projectStatuses } from "../enums.js";
import { createDeniedError, createNotFoundError } from "../errors.js";
import { email, flag } from "../fields.js";
import type * as model from "../model.js";
import { addMember, createUser, findUser, removeMember } from "../operations/people.js";
import { defineSortQuery, sortItems } from "../paging.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { memberFull, memberSummary, serializeMember } from "../serializers/people.js";
import { projectSummary, serializeProject } from "../serializers/projects.js";

const area = "Workspace members, groups, permission sets";
const member = defineEndpoints("/workspaces/:domain/members", { area, scopes: ["WORKSPACE"] });
const admin = defineEndpoints("/workspaces/:domain/members", {
  area,
  scopes: ["WORKSPACE"],
  adminOnly: true,
});

const serializeFull = (context: Context, { userId }: model.MembershipRow) => ({
  ...serializeMember(context, userId),
  ...getMemberRights(context.store, context.workspace, userId),
});

/** Reports whether the caller may see a member: administrators see all, others who shares a project with them. */
function maySee({ store, workspace, user, isAdmin }: Context, userId: number): boolean {
  return isAdmin || userId === user.id || shareProject(store, workspace.id, userId, user.id);
}

/** Returns the membership in the path. */
function getMember(context: Context): model.MembershipRow {
  const { store, workspace } = context;
  const id = context.id("member_id");
  const membership = findMembership(store, workspace, id);
  if (membership === undefined) throw createNotFoundError(`Member ${id}`);
  if (!maySee(context, id)) throw createDeniedError("Access denied: you share no project with this member.");
  return membership;
}

const memberSort = {
  email: (user: model.UserRow) => user.email,
  name: (user: model.UserRow) => user.name ?? "",
  // Sorts by the first word of the name.
  short_name: (user: model.UserRow) => (user.name ?? "").split(" ")[0] ?? "",
} as const;

const projectSort = {
  NAME: (row: model.ProjectRow) => row.name,
  CREATED: (row: model.ProjectRow) => row.createdAt,
  SIZE: (row: model.ProjectRow) => row.size,
  UPDATED: (row: model.ProjectRow) => row.updatedAt,
} as const;

export const memberResource: Resource = {
  tables: { memberships: { belongsTo: { workspaces: "workspaceId" }, key: "userId" } },
  routes: [
    member("GET", "Members of the workspace; for a non-admin those who share a project", {
      query: defineSortQuery("email", "name", "short_name"),
      response: respondList("members", memberSummary),
      handle: (context) => {
        const { store, workspace, query } = context;
        const users = store.memberships
          .of(workspace.id)
          .filter(({ userId }) => maySee(context, userId))
          .map(({ userId }) => store.users.require(userId));
        return context
          .page(sortItems(users, memberSort, query))
          .map(({ id }) => serializeMember(context, id));
      },
    }),
    member("POST", "Invite a user by e-mail", {
      body: { email: email },
      response: respondCreated(memberFull),
      handle: (context) => {
        const { service, workspace, body } = context;
        if (workspace.membersByAdminsOnly) context.requireAdmin();
        const user = findUser(service, body.email) ?? createUser(service, body.email);
        return serializeFull(context, addMember(context, user, false));
      },
    }),
    member("GET /:member_id", "One member", {
      response: respondOk(memberFull),
      handle: (context) => serializeFull(context, getMember(context)),
    }),
    admin("PATCH /:member_id", "Grant or remove the administrator right of a member", {
      body: { admin: flag.optional() },
      response: respondOk(memberFull),
      handle: (context) => {
        const membership = getMember(context);
        const { admin } = context.body;
        if (admin !== undefined) {
          if (!admin && membership.userId === context.workspace.ownerId) {
            throw createDeniedError("Access denied: the workspace owner is always an administrator.");
          }
          membership.admin = admin;
          context.store.memberships.update(membership);
        }
        return serializeFull(context, membership);
      },
    }),
    admin("DELETE /:member_id", "Remove a member from the workspace", {
      handle: (context) => removeMember(context, getMember(context)),
    }),
    member("GET /:member_id/projects", "A member's projects", {
      query: {
        all: flag.describe("All projects of the workspace; for admins only."),
        ...defineSortQuery("NAME", "CREATED", "SIZE", "UPDATED"),
        status: z.enum(projectStatuses),
      },
      response: respondList("projects", projectSummary),
      handle: (context) => {
        const { store, workspace, user, query } = context;
        const { userId } = getMember(context);
        if (query.all === true) context.requireAdmin();
        const projects = store.projects
          .of(workspace.id)
          .filter((row) => query.all === true || findProjectMember(store, row, userId) !== undefined)
          .filter((row) => context.isAdmin || findProjectMember(store, row, user.id) !== undefined)
          .filter((row) => query.status === undefined || row.status === query.status);
        const page = context.page(sortItems(projects, projectSort, query));
        return page.map((row) => serializeProject(context, row));
      },
    }),
  ],
};
