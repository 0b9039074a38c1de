import { z } from "zod";
import { id, pipelineAccessLevel, repositoryAccessLevel, text } from "../definition/primitives.js";
import { defineResource, htmlUrl, output } from "../definition/definition.js";
import { keys } from "../definition/lists.js";

/** Spec, Resources: PermissionSet; Endpoints: Workspace members, groups, permission sets. Administrators only. */
export const permissionSet = defineResource({
  type: "PermissionSet",
  noun: "permission set",
  description: "A named set of rights that a person is given in a project.",
  args: {
    name: text.describe("Name of the set. A change renames it in place."),
    description: text.describe("What the set allows, in words. The service requires one."),
    repositoryAccessLevel: repositoryAccessLevel.describe("What may be done with the repository."),
    pipelineAccessLevel: pipelineAccessLevel.describe("What may be done with pipelines."),
  },
  outputs: {
    permissionSetId: output("id", id.describe("Number of the set.")),
    type: output(
      "type",
      z.string().describe("CUSTOM for a set that was made, DEVELOPER or READ_ONLY for one built in."),
    ),
    htmlUrl,
  },
  id: ["permissionSetId"],
  identity: { state: "permissionSetId", wire: "id" },
  naturalKey: ["name"],
  patchAlways: ["name", "description", "repositoryAccessLevel", "pipelineAccessLevel"],
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

  list: ({ api, workspace }) => ({
    kind: "list",
    key: keys.permissionSets,
    load: () => api.permissionSets.list(workspace).toArray(),
  }),
  sources(context, at) {
    const set = Number(at["permissionSetId"]);
    const load = () => context.api.permissionSets.get(context.workspace, set);
    return [this.list(context, at)!, { kind: "single", key: `permissions/${set}`, load }];
  },
  create: ({ api, workspace }, body) => api.permissionSets.create(workspace, body as never),
  update: ({ api, workspace }, body, at) =>
    api.permissionSets.update(workspace, Number(at["permissionSetId"]), body as never),
  undeclared: (_context, live) =>
    Promise.resolve(
      live["type"] === "CUSTOM" || live["type"] === undefined ? undefined : "it is built into the service",
    ),
  delete: ({ api, workspace }, at) => api.permissionSets.delete(workspace, Number(at["permissionSetId"])),
});
