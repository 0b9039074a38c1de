import { z } from "zod";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const Integration = wire({
  ...links,
  id: z.int(),
  name: z.string(),
  /** The kind of external provider; an open set. */
  type: told<string>(),
});
export type Integration = z.infer<typeof Integration>;

const scopes = ["INTEGRATION_INFO"];

/** Integrations of the token's user (spec: Workspaces and user profile). Scope INTEGRATION_INFO. Read only. */
export class Integrations extends Area {
  /** GET /user/integrations. */
  list(query?: PageQuery, options?: CallOptions): Listing<Integration> {
    const request = { path: "/user/integrations", scopes, query, array: "integrations" };
    return this.http.list(Integration, { ...request, key: (i) => i.id }, options);
  }

  /** GET /user/integrations/:integration_id. Errors: not-found. */
  get(id: number, options?: CallOptions): Promise<Integration> {
    return this.http.get(Integration, { path: path`/user/integrations/${id}`, scopes }, options);
  }
}
