/** Members of a workspace. */
import type { z } from "zod";
import { administrator, byId, collection, list, typed } from "../endpoint.js";
import type { PageQuery } from "../paging.js";
import { path } from "../path.js";
import { unchecked } from "../schema.js";
import { MemberSummary, ProjectSummary } from "./summaries.js";

export const Member = MemberSummary.extend({
  admin: unchecked<boolean>(),
  workspace_owner: unchecked<boolean>(),
});
export type Member = z.infer<typeof Member>;

export interface MemberQuery extends PageQuery {
  sort_by?: "email" | "name" | "short_name";
  sort_direction?: "ASC" | "DESC";
}

export interface MemberProjectQuery extends PageQuery {
  /** All projects, not only shared ones. Administrators only. */
  all?: boolean;
  sort_by?: "NAME" | "CREATED" | "SIZE" | "UPDATED";
  sort_direction?: "ASC" | "DESC";
  status?: "ACTIVE" | "CLOSED";
}

const scopes = ["WORKSPACE"];

const all = (domain: string) => path`/workspaces/${domain}/members`;
const projectsOf = (domain: string, memberId: number) =>
  path`/workspaces/${domain}/members/${memberId}/projects`;

const member = collection(all, MemberSummary, Member, {
  array: "members",
  key: byId,
  query: typed<MemberQuery>(),
  read: { scopes },
  readOne: { scopes, right: "a co-worker or a workspace administrator" },
  manage: { scopes, right: administrator },
});

/** Members of a workspace (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export const members = {
  /** GET /workspaces/:domain/members: administrators see all, others those they share a project with. */
  list: member.list,
  /** GET /workspaces/:domain/members/:member_id. Errors: not-found; denied without a shared project. */
  get: member.get,
  /**
   * POST /workspaces/:domain/members. Errors: invalid-value (email), denied where the workspace limits it to
   * administrators. Natural key: the e-mail. Where lists hide it, `existing` finds the new member.
   */
  create: member.create({
    body: typed<{ email: string }>(),
    what: ({ email }) => `member ${email}`,
    matches: (member, { email }) =>
      member.email == null ? "maybe" : member.email.toLowerCase() === email.toLowerCase(),
  }),
  /** PATCH /workspaces/:domain/members/:member_id: grants or revokes administrator rights. Errors: denied, not-found. */
  update: member.update(typed<{ admin?: boolean }>()),
  /** DELETE /workspaces/:domain/members/:member_id. Administrators only. */
  delete: member.delete,
  /** GET /workspaces/:domain/members/:member_id/projects. */
  listProjects: list(projectsOf, ProjectSummary, {
    scopes,
    array: "projects",
    key: ({ name }) => name,
    query: typed<MemberProjectQuery>(),
  }),
};
