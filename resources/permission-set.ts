/** Resource type `PermissionSet`. */
import { z } from "zod";
import { PermissionSet } from "../client/api/permission-sets.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { createSingleSource, lists } from "./definition/lists.js";
import { id, pipelineAccessLevel, repositoryAccessLevel, text } from "./definition/primitives.js";

/** Spec, Resources: PermissionSet; Endpoints: Workspace members, groups, permission sets. Administrators only. */
export const permissionSet = defineResource({
  type: "PermissionSet",
  noun: "permission set",
  description: "A named set of rights for a person in a project.",
  effect: "rights",
  remote: PermissionSet,
  args: {
    name: text.describe("Name of the set. A change renames it in place."),
    description: text.describe("Description of what the set allows. The service requires one."),
    repositoryAccessLevel: repositoryAccessLevel.describe("Access to the repository."),
    pipelineAccessLevel: pipelineAccessLevel.describe("Access to pipelines."),
  },
  outputs: {
    permissionSetId: output("id", id.describe("Number of the set.")),
    type: output("type", z.string().describe("CUSTOM, or for a built-in set DEVELOPER or READ_ONLY.")),
    htmlUrl,
  },
  id: ["permissionSetId"],
  identity: { state: "permissionSetId", apiName: "id" },
  restricted: true,
  naturalKey: ["name"],
  spelling: { name: "name" },
  forceSend: ["name", "description", "repositoryAccessLevel", "pipelineAccessLevel"],
  document: { section: "permissionSets", under: { workspace: null }, keyedBy: "name", form: "map" },
  examples: {
    create: {
      name: "release-engineers",
      description: "May deploy",
      repositoryAccessLevel: "READ_ONLY",
      pipelineAccessLevel: "RUN_ONLY",
    },
    update: { pipelineAccessLevel: "READ_WRITE" },
    outside: { repositoryAccessLevel: "READ_WRITE" },
  },

  list: lists.permissionSets,
  sources: ({ api, workspace }, { permissionSetId: id }, list) => [
    ...list,
    createSingleSource(`permissions/${id}`, () => api.permissionSets.get(workspace, id)),
  ],
  create: ({ api, workspace }, body) => api.permissionSets.create(workspace, body),
  update: ({ api, workspace }, body, { permissionSetId }) =>
    api.permissionSets.update(workspace, permissionSetId, body),
  ignoreUnmanaged: (_context, { type }) =>
    Promise.resolve(type === "CUSTOM" || type === undefined ? undefined : "it is built into the service"),
  delete: ({ api, workspace }, { permissionSetId }) => api.permissionSets.delete(workspace, permissionSetId),
});
