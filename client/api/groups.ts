import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const Group = wire({ ...links, id: z.int(), name: z.string(), description: told<string>() });
export type Group = z.infer<typeof Group>;
/** The spec names no smaller form for lists; a list may leave fields out all the same. */
export type GroupSummary = Group;

export interface GroupCreate {
  name: string;
  description?: string | null;
}

export type GroupUpdate = Partial<GroupCreate>;

const scopes = ["WORKSPACE"];
const right = "a workspace administrator";

/** Groups of members (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export class Groups extends Area {
  /** GET /workspaces/:domain/groups. */
  list(domain: string, query?: PageQuery, options?: CallOptions): Listing<GroupSummary> {
    const request = { path: path`/workspaces/${domain}/groups`, scopes, query, array: "groups" };
    return this.http.list(Group, { ...request, key: (g) => g.id }, options);
  }

  /** GET /workspaces/:domain/groups/:group_id. Errors: not-found. */
  get(domain: string, groupId: number, options?: CallOptions): Promise<Group> {
    return this.http.get(Group, { path: path`/workspaces/${domain}/groups/${groupId}`, scopes }, options);
  }

  /** POST /workspaces/:domain/groups. Administrators only. Errors: invalid-value, denied. Natural key: name. */
  create(domain: string, body: GroupCreate, options?: CreateOptions): Promise<Group> {
    const request = { path: path`/workspaces/${domain}/groups`, scopes, right, body };
    const key = {
      what: `group ${JSON.stringify(body.name)}`,
      candidates: (o: CallOptions) => this.list(domain, {}, o).toArray(),
      matches: (g: GroupSummary) => g.name === body.name,
      id: (g: GroupSummary) => g.id,
      read: (g: GroupSummary, o: CallOptions) => this.get(domain, g.id, o),
    };
    return this.http.create(Group, request, key, options);
  }

  /** PATCH /workspaces/:domain/groups/:group_id. Errors: invalid-value, denied, not-found. */
  update(domain: string, groupId: number, body: GroupUpdate, options?: CallOptions): Promise<Group> {
    const request = { path: path`/workspaces/${domain}/groups/${groupId}`, scopes, right, body };
    return this.http.send(Group, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/groups/:group_id. */
  async delete(domain: string, groupId: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/workspaces/${domain}/groups/${groupId}`, scopes, right }, options);
  }
}
