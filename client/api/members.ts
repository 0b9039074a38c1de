import type { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told } from "../wire.js";
import { MemberSummary, ProjectSummary } from "./summaries.js";

export const Member = MemberSummary.extend({
  admin: told<boolean>(),
  workspace_owner: told<boolean>(),
});
export type Member = z.infer<typeof Member>;

export interface MemberQuery extends PageQuery {
  sort_by?: "email" | "name" | "short_name";
  sort_direction?: "ASC" | "DESC";
}

export interface MemberProjectQuery extends PageQuery {
  /** All projects, not only shared ones; administrators only. */
  all?: boolean;
  sort_by?: "NAME" | "CREATED" | "SIZE" | "UPDATED";
  sort_direction?: "ASC" | "DESC";
  status?: "ACTIVE" | "CLOSED";
}

const scopes = ["WORKSPACE"];
const right = "a workspace administrator";

/** Members of a workspace (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export class Members extends Area {
  /** GET /workspaces/:domain/members: administrators see all, others those they share a project with. */
  list(domain: string, query?: MemberQuery, options?: CallOptions): Listing<MemberSummary> {
    const request = { path: path`/workspaces/${domain}/members`, scopes, query, array: "members" };
    return this.http.list(MemberSummary, { ...request, key: (m) => m.id }, options);
  }

  /** GET /workspaces/:domain/members/:member_id. Errors: not-found; denied without a shared project. */
  get(domain: string, memberId: number, options?: CallOptions): Promise<Member> {
    const request = { path: path`/workspaces/${domain}/members/${memberId}`, scopes };
    return this.http.get(Member, { ...request, right: "a co-worker or a workspace administrator" }, options);
  }

  /**
   * POST /workspaces/:domain/members. Errors: invalid-value (email), denied where the workspace limits it to
   * administrators. Natural key: the e-mail; where lists hide it, `existing` finds the new member.
   */
  create(domain: string, body: { email: string }, options?: CreateOptions): Promise<Member> {
    const request = { path: path`/workspaces/${domain}/members`, scopes, right, body };
    const key = {
      what: `member ${body.email}`,
      candidates: (o: CallOptions) => this.list(domain, {}, o).toArray(),
      matches: ({ email }: MemberSummary) => (email == null ? "maybe" : sameEmail(email, body.email)),
      id: (member: MemberSummary) => member.id,
      read: (member: MemberSummary, o: CallOptions) => this.get(domain, member.id, o),
    } as const;
    return this.http.create(Member, request, key, options);
  }

  /** PATCH /workspaces/:domain/members/:member_id: gives or takes administrator rights. Errors: denied, not-found. */
  update(
    domain: string,
    memberId: number,
    body: { admin?: boolean },
    options?: CallOptions,
  ): Promise<Member> {
    const request = { path: path`/workspaces/${domain}/members/${memberId}`, scopes, right, body };
    return this.http.send(Member, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/members/:member_id. Administrators only. */
  async delete(domain: string, memberId: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/workspaces/${domain}/members/${memberId}`, scopes, right }, options);
  }

  /** GET /workspaces/:domain/members/:member_id/projects. */
  listProjects(
    domain: string,
    memberId: number,
    query?: MemberProjectQuery,
    options?: CallOptions,
  ): Listing<ProjectSummary> {
    const request = { path: path`/workspaces/${domain}/members/${memberId}/projects`, scopes, query };
    return this.http.list(ProjectSummary, { ...request, array: "projects", key: (p) => p.name }, options);
  }
}

function sameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
