import type { z } from "zod";
import {
  administrator,
  byId,
  createOne,
  getOne,
  list,
  byNumber,
  removeOne,
  typed,
  updateOne,
} from "../endpoint.js";
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
const one = byNumber(all);

const listed = list(all, ProjectMemberSummary, {
  scopes,
  array: "members",
  key: byId,
  query: typed<ProjectMemberQuery>(),
});
const single = getOne(one, ProjectMember, { scopes });

/** Members of a project and their rights there (spec: Projects). Scope WORKSPACE. */
export const projectMembers = {
  /** GET /workspaces/:domain/projects/:project_name/members. */
  list: listed,
  /** GET /workspaces/:domain/projects/:project_name/members/:member_id. Errors: not-found, denied. */
  get: single,
  /**
   * POST /workspaces/:domain/projects/:project_name/members. A caller who is no administrator gives the new member
   * the caller's own permissions, whatever is posted: compare the response. Natural key: the member's id.
   */
  create: createOne(all, ProjectMember, {
    ...manage,
    body: typed<ProjectMemberCreate>(),
    what: ({ id }) => `project member ${id}`,
    among: listed,
    matches: (member, { id }) => member.id === id,
    single,
  }),
  /** PATCH /workspaces/:domain/projects/:project_name/members/:member_id. Administrators only. */
  update: updateOne(one, ProjectMember, { ...manage, body: typed<{ permission_set: { id: number } }>() }),
  /** DELETE /workspaces/:domain/projects/:project_name/members/:member_id. */
  delete: removeOne(one, manage),
};
