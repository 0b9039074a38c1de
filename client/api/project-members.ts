import type { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told } from "../wire.js";
import { Member } from "./members.js";
import type { PermissionSet } from "./permission-sets.js";
import { MemberSummary } from "./summaries.js";

/** `permission_set` is shown to workspace administrators only. */
export const ProjectMemberSummary = MemberSummary.extend({ permission_set: told<PermissionSet>() });
export type ProjectMemberSummary = z.infer<typeof ProjectMemberSummary>;

export const ProjectMember = Member.extend({ permission_set: told<PermissionSet>() });
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
const right = "a workspace administrator";

/** Members of a project and what they may do there (spec: Projects). Scope WORKSPACE. */
export class ProjectMembers extends Area {
  /** GET /workspaces/:domain/projects/:project_name/members. */
  list(
    domain: string,
    project: string,
    query?: ProjectMemberQuery,
    options?: CallOptions,
  ): Listing<ProjectMemberSummary> {
    const request = { path: members(domain, project), scopes, query, array: "members" };
    return this.http.list(ProjectMemberSummary, { ...request, key: (m) => m.id }, options);
  }

  /** GET /workspaces/:domain/projects/:project_name/members/:member_id. Errors: not-found, denied. */
  get(domain: string, project: string, memberId: number, options?: CallOptions): Promise<ProjectMember> {
    return this.http.get(ProjectMember, { path: member(domain, project, memberId), scopes }, options);
  }

  /**
   * POST /workspaces/:domain/projects/:project_name/members. A caller who is no administrator gives the new member
   * the caller's own permissions, whatever is posted: compare the answer. Natural key: the member's id.
   */
  create(
    domain: string,
    project: string,
    body: ProjectMemberCreate,
    options?: CreateOptions,
  ): Promise<ProjectMember> {
    const request = { path: members(domain, project), scopes, right, body };
    const key = {
      what: `project member ${body.id}`,
      candidates: (o: CallOptions) => this.list(domain, project, {}, o).toArray(),
      matches: (m: ProjectMemberSummary) => m.id === body.id,
      id: (m: ProjectMemberSummary) => m.id,
      read: (m: ProjectMemberSummary, o: CallOptions) => this.get(domain, project, m.id, o),
    };
    return this.http.create(ProjectMember, request, key, options);
  }

  /** PATCH /workspaces/:domain/projects/:project_name/members/:member_id. Administrators only. */
  update(
    domain: string,
    project: string,
    memberId: number,
    body: { permission_set: { id: number } },
    options?: CallOptions,
  ): Promise<ProjectMember> {
    const request = { path: member(domain, project, memberId), scopes, right, body };
    return this.http.send(ProjectMember, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/projects/:project_name/members/:member_id. */
  async delete(domain: string, project: string, memberId: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: member(domain, project, memberId), scopes, right }, options);
  }
}

const members = (domain: string, project: string) => path`/workspaces/${domain}/projects/${project}/members`;
const member = (domain: string, project: string, id: number) =>
  path`/workspaces/${domain}/projects/${project}/members/${id}`;
