import { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const WorkspaceSummary = wire({
  ...links,
  id: z.int(),
  name: told<string>(),
  /** The workspace's identifier in paths. */
  domain: z.string(),
});
export type WorkspaceSummary = z.infer<typeof WorkspaceSummary>;

export const Workspace = WorkspaceSummary.extend({
  owner_id: told<number>(),
  frozen: told<boolean>(),
  create_date: told<string>(),
});
export type Workspace = z.infer<typeof Workspace>;

const scopes = ["WORKSPACE"];

/** Workspaces (spec: Workspaces and user profile). Scope WORKSPACE. */
export class Workspaces extends Area {
  /** GET /workspaces: the workspaces of the token's user. */
  list(query?: PageQuery, options?: CallOptions): Listing<WorkspaceSummary> {
    const request = { path: "/workspaces", scopes, query, array: "workspaces" };
    return this.http.list(WorkspaceSummary, { ...request, key: (w) => w.id }, options);
  }

  /** GET /workspaces/:domain. Errors: not-found, denied, api-disabled. */
  get(domain: string, options?: CallOptions): Promise<Workspace> {
    return this.http.get(Workspace, { path: path`/workspaces/${domain}`, scopes }, options);
  }
}
