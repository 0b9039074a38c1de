/** Workspaces that the current user can see. */
import { z } from "zod";
import { byId, getOne, list, named } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const WorkspaceSummary = apiObject({
  ...links,
  id: z.int(),
  name: unchecked<string>(),
  /** The workspace's identifier in paths. */
  domain: z.string(),
});
export type WorkspaceSummary = z.infer<typeof WorkspaceSummary>;

export const Workspace = WorkspaceSummary.extend({
  owner_id: unchecked<number>(),
  frozen: unchecked<boolean>(),
  create_date: unchecked<string>(),
});
export type Workspace = z.infer<typeof Workspace>;

const scopes = ["WORKSPACE"];
const all = () => path`/workspaces`;

/** Workspaces (spec: Workspaces and user profile). Scope WORKSPACE. */
export const workspaces = {
  /** GET /workspaces: the workspaces of the token's user. */
  list: list(all, WorkspaceSummary, { scopes, array: "workspaces", key: byId }),
  /** GET /workspaces/:domain. Errors: not-found, denied, api-disabled. */
  get: getOne(named(all), Workspace, { scopes }),
};
