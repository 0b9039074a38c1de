import { z } from "zod";
import { pipelineLevels, repositoryLevels } from "../enums.js";
import type { Context } from "../context.js";
import { conflict, denied } from "../errors.js";
import { nonBlank, type Fields } from "../fields.js";
import type * as model from "../model.js";
import { createPermissionSet } from "../operations/people.js";
import { route, type Resource } from "../route.js";
import { created, deleted, listOf, ok } from "../response.js";
import { permissionSetSchema, serializePermissionSet } from "../serializers/people.js";

const area = "Workspace members, groups, permission sets";
const admin = { area, scopes: ["WORKSPACE"], adminOnly: true } as const;

// POST requires all four and so does PATCH, as the spec lists them.
export const permissionSetBody = {
  name: nonBlank,
  description: nonBlank,
  repository_access_level: z.enum(repositoryLevels),
  pipeline_access_level: z.enum(pipelineLevels),
} as const satisfies Fields;

const setOf = (context: Context): model.PermissionSetRow =>
  context.row(context.store.permissionSets, "permission_set_id", "Permission set");

function requireCustom(set: model.PermissionSetRow): void {
  if (set.type !== "CUSTOM") throw denied("Access denied: a built-in permission set cannot be changed.");
}

export const permissionSetResource: Resource = {
  tables: { permissionSets: { belongsTo: { workspaces: "workspaceId" } } },
  routes: [
    route({
      ...admin,
      method: "GET",
      path: "/workspaces/:domain/permissions",
      summary: "Permission sets of the workspace",
      response: listOf("permission_sets", permissionSetSchema),
      handle: (context) => {
        const { service, store, workspace } = context;
        return {
          ...service.links.inWorkspace(workspace.domain, "permissions"),
          permission_sets: context
            .all(store.permissionSets.of(workspace.id))
            .map((row) => serializePermissionSet(service, workspace, row)),
        };
      },
    }),
    route({
      ...admin,
      method: "POST",
      path: "/workspaces/:domain/permissions",
      summary: "Make a custom permission set",
      body: permissionSetBody,
      response: created(permissionSetSchema),
      handle: ({ service, workspace, body: values }) =>
        serializePermissionSet(service, workspace, createPermissionSet(service, workspace, values)),
    }),
    route({
      ...admin,
      method: "GET",
      path: "/workspaces/:domain/permissions/:permission_set_id",
      summary: "One permission set",
      response: ok(permissionSetSchema),
      handle: (context) => serializePermissionSet(context.service, context.workspace, setOf(context)),
    }),
    route({
      ...admin,
      method: "PATCH",
      path: "/workspaces/:domain/permissions/:permission_set_id",
      summary: "Change a custom permission set",
      body: permissionSetBody,
      response: ok(permissionSetSchema),
      handle: (context) => {
        const set = setOf(context);
        requireCustom(set);
        const { name, description, repository_access_level, pipeline_access_level } = context.body;
        Object.assign(set, { name, description, repository_access_level, pipeline_access_level });
        return serializePermissionSet(
          context.service,
          context.workspace,
          context.store.permissionSets.update(set),
        );
      },
    }),
    route({
      ...admin,
      method: "DELETE",
      path: "/workspaces/:domain/permissions/:permission_set_id",
      summary: "Delete a custom permission set",
      response: deleted,
      handle: (context) => {
        const { store, workspace } = context;
        const set = setOf(context);
        requireCustom(set);
        const used = store.projects
          .of(workspace.id)
          .some((project) => store.projectMembers.find(project.id, (row) => row.permissionSetId === set.id));
        if (used) throw conflict(`The permission set '${set.name}' is in use by project members.`);
        store.permissionSets.remove(set);
      },
    }),
  ],
};
