/** Permission sets of a workspace. */
import { z } from "zod";
import { administrator, byId, collection, typed } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export type RepositoryAccessLevel = "DENIED" | "READ_ONLY" | "READ_WRITE";
export type PipelineAccessLevel = "DENIED" | "READ_ONLY" | "RUN_ONLY" | "READ_WRITE";

export const PermissionSet = apiObject({
  ...links,
  id: z.int(),
  name: z.string(),
  description: unchecked<string>(),
  type: unchecked<"DEVELOPER" | "READ_ONLY" | "CUSTOM">(),
  repository_access_level: unchecked<RepositoryAccessLevel>(),
  pipeline_access_level: unchecked<PipelineAccessLevel>(),
});
export type PermissionSet = z.infer<typeof PermissionSet>;
/** The spec names no smaller form for lists. A list may still omit fields. */
export type PermissionSetSummary = PermissionSet;

/** All four are required, by POST and by PATCH. */
export interface PermissionSetBody {
  name: string;
  description: string | null;
  repository_access_level: RepositoryAccessLevel;
  pipeline_access_level: PipelineAccessLevel;
}

const needs = { scopes: ["WORKSPACE"], right: administrator };

const all = (domain: string) => path`/workspaces/${domain}/permissions`;
const set = collection(all, PermissionSet, PermissionSet, {
  array: "permission_sets",
  key: byId,
  read: needs,
  manage: needs,
});

/** Permission sets (spec: Workspace members, groups, permission sets). Scope WORKSPACE. Administrators only. */
export const permissionSets = {
  /** GET /workspaces/:domain/permissions. */
  list: set.list,
  /** GET /workspaces/:domain/permissions/:permission_set_id. Errors: not-found, denied. */
  get: set.get,
  /** POST /workspaces/:domain/permissions: a set of type CUSTOM. Errors: invalid-value, denied. Natural key: name. */
  create: set.create({
    body: typed<PermissionSetBody>(),
    what: ({ name }) => `permission set ${JSON.stringify(name)}`,
    matches: (set, { name }) => set.name === name,
  }),
  /** PATCH /workspaces/:domain/permissions/:permission_set_id: a custom set only. Errors: invalid-value, denied. */
  update: set.update(typed<PermissionSetBody>()),
  /** DELETE /workspaces/:domain/permissions/:permission_set_id. */
  delete: set.delete,
};
