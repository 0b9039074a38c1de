import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export type RepositoryAccessLevel = "DENIED" | "READ_ONLY" | "READ_WRITE";
export type PipelineAccessLevel = "DENIED" | "READ_ONLY" | "RUN_ONLY" | "READ_WRITE";

export const PermissionSet = wire({
  ...links,
  id: z.int(),
  name: z.string(),
  description: told<string>(),
  type: told<"DEVELOPER" | "READ_ONLY" | "CUSTOM">(),
  repository_access_level: told<RepositoryAccessLevel>(),
  pipeline_access_level: told<PipelineAccessLevel>(),
});
export type PermissionSet = z.infer<typeof PermissionSet>;
/** The spec names no smaller form for lists; a list may leave fields out all the same. */
export type PermissionSetSummary = PermissionSet;

/** All four are required, by POST and by PATCH. */
export interface PermissionSetBody {
  name: string;
  description: string | null;
  repository_access_level: RepositoryAccessLevel;
  pipeline_access_level: PipelineAccessLevel;
}

const scopes = ["WORKSPACE"];
const right = "a workspace administrator";

/** Permission sets (spec: Workspace members, groups, permission sets). Scope WORKSPACE; administrators only. */
export class PermissionSets extends Area {
  /** GET /workspaces/:domain/permissions. */
  list(domain: string, query?: PageQuery, options?: CallOptions): Listing<PermissionSetSummary> {
    const request = { path: path`/workspaces/${domain}/permissions`, scopes, right, query };
    return this.http.list(PermissionSet, { ...request, array: "permission_sets", key: (p) => p.id }, options);
  }

  /** GET /workspaces/:domain/permissions/:permission_set_id. Errors: not-found, denied. */
  get(domain: string, id: number, options?: CallOptions): Promise<PermissionSet> {
    return this.http.get(
      PermissionSet,
      { path: path`/workspaces/${domain}/permissions/${id}`, scopes, right },
      options,
    );
  }

  /** POST /workspaces/:domain/permissions: a set of type CUSTOM. Errors: invalid-value, denied. Natural key: name. */
  create(domain: string, body: PermissionSetBody, options?: CreateOptions): Promise<PermissionSet> {
    const request = { path: path`/workspaces/${domain}/permissions`, scopes, right, body };
    const key = {
      what: `permission set ${JSON.stringify(body.name)}`,
      candidates: (o: CallOptions) => this.list(domain, {}, o).toArray(),
      matches: (p: PermissionSetSummary) => p.name === body.name,
      id: (p: PermissionSetSummary) => p.id,
      read: (p: PermissionSetSummary, o: CallOptions) => this.get(domain, p.id, o),
    };
    return this.http.create(PermissionSet, request, key, options);
  }

  /** PATCH /workspaces/:domain/permissions/:permission_set_id: a custom set only. Errors: invalid-value, denied. */
  update(domain: string, id: number, body: PermissionSetBody, options?: CallOptions): Promise<PermissionSet> {
    const request = { path: path`/workspaces/${domain}/permissions/${id}`, scopes, right, body };
    return this.http.send(PermissionSet, { method: "PATCH", ...request }, options);
  }

  /** DELETE /workspaces/:domain/permissions/:permission_set_id. */
  async delete(domain: string, id: number, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/workspaces/${domain}/permissions/${id}`, scopes, right }, options);
  }
}
