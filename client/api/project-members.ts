/** Members of a project. */
import type { z } from "zod";
import { administrator, byId, collection, typed } from "../endpoint.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { unchecked } from "../schema.js";
import { Member } from "./members.js";
import type { PermissionSet } from "./permission-sets.js";
import { MemberSummary } from "./summaries.js";

/** `permission_set` is shown to workspace administrators only. */
export const ProjectMemberSummary = MemberSummary.extend({ permission_set: unchecked<PermissionSet>() });
export type ProjectMemberSummary = z.infer<typeof ProjectMemberSummary>;

export const ProjectMember = Member.extend({ permission_set: unchecked<PermissionSet>() });
export type ProjectMember = z.infer<typeof ProjectMember>;

export interface ProjectMemberQuery extends PageQuery {
  sort_by?: "email" | "name";
  sort_direction?: "ASC" | "DESC";
}

export interface ProjectMemberCreate {
  id: number;
  permission_set: { id: number };
}

const scopes = ["WORKSPACE"];
const manage = { scopes, right: administrator };

const all = (domain: string, project: string) => path`/workspaces/${domain}/projects/${project}/members`;
const member = collection(all, ProjectMemberSummary, ProjectMember, {
  array: "members",
  key: byId,
  query: typed<ProjectMemberQuery>(),
  read: { scopes },
  manage,
});

/** Members of a project and their rights there (spec: Projects). Scope WORKSPACE. */
export const projectMembers = {
  /** GET /workspaces/:domain/projects/:project_name/members. */
  list: member.list,
  /** GET /workspaces/:domain/projects/:project_name/members/:member_id. Errors: not-found, denied. */
  get: member.get,
  /**
   * POST /workspaces/:domain/projects/:project_name/members. A caller who is no administrator gives the new member
   * the caller's own permissions, whatever is posted: compare the response. Natural key: the member's id.
   */
  create: member.create({
    body: typed<ProjectMemberCreate>(),
    what: ({ id }) => `project member ${id}`,
    matches: (member, { id }) => member.id === id,
  }),
  /** PATCH /workspaces/:domain/projects/:project_name/members/:member_id. Administrators only. */
  update: member.update(typed<{ permission_set: { id: number } }>()),
  /** DELETE /workspaces/:domain/projects/:project_name/members/:member_id. */
  delete: member.delete,
};
