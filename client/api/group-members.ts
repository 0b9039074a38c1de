import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { Member } from "./members.js";
import { MemberSummary } from "./summaries.js";

const scopes = ["WORKSPACE"];
const right = "a workspace administrator";

/** Who is in a group (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export class GroupMembers extends Area {
  /** GET /workspaces/:domain/groups/:group_id/members. */
  list(domain: string, groupId: number, query?: PageQuery, options?: CallOptions): Listing<MemberSummary> {
    const request = { path: members(domain, groupId), scopes, query, array: "members" };
    return this.http.list(MemberSummary, { ...request, key: (m) => m.id }, options);
  }

  /** GET /workspaces/:domain/groups/:group_id/members/:member_id. Errors: not-found. */
  get(domain: string, groupId: number, memberId: number, options?: CallOptions): Promise<Member> {
    return this.http.get(Member, { path: member(domain, groupId, memberId), scopes }, options);
  }

  /** POST /workspaces/:domain/groups/:group_id/members. Errors: invalid-value, denied. Natural key: the member's id. */
  create(domain: string, groupId: number, body: { id: number }, options?: CreateOptions): Promise<Member> {
    const request = { path: members(domain, groupId), scopes, right, body };
    const key = {
      what: `group member ${body.id}`,
      candidates: (o: CallOptions) => this.list(domain, groupId, {}, o).toArray(),
      matches: (m: MemberSummary) => m.id === body.id,
      id: (m: MemberSummary) => m.id,
      read: (m: MemberSummary, o: CallOptions) => this.get(domain, groupId, m.id, o),
    };
    return this.http.create(Member, request, key, options);
  }

  /** DELETE /workspaces/:domain/groups/:group_id/members/:member_id. */
  async delete(domain: string, groupId: number, memberId: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: member(domain, groupId, memberId), scopes, right }, options);
  }
}

const members = (domain: string, groupId: number) => path`/workspaces/${domain}/groups/${groupId}/members`;
const member = (domain: string, groupId: number, id: number) =>
  path`/workspaces/${domain}/groups/${groupId}/members/${id}`;
