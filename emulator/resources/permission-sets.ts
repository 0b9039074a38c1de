/** Endpoints and tables of permission sets. */
import type { Context } from "../context.js";
import { createDeniedError } from "../errors.js";
import type * as model from "../model.js";
import { requireUnusedName } from "../operations/names.js";
import { createPermissionSet, deletePermissionSet, permissionSetBody } from "../operations/people.js";
import { respondCreated, respondList, respondOk } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { permissionSetSchema, serializePermissionSet } from "../serializers/people.js";

const area = "Workspace members, groups, permission sets";
const admin = defineEndpoints("/workspaces/:domain/permissions", {
  area,
  scopes: ["WORKSPACE"],
  adminOnly: true,
});

const getPermissionSet = (context: Context): model.PermissionSetRow =>
  context.row(context.store.permissionSets, "permission_set_id", "Permission set");

function requireCustom(set: model.PermissionSetRow): void {
  if (set.type !== "CUSTOM")
    throw createDeniedError("Access denied: a built-in permission set cannot be changed.");
}

export const permissionSetResource: Resource = {
  tables: { permissionSets: { belongsTo: { workspaces: "workspaceId" } } },
  routes: [
    admin("GET", "Permission sets of the workspace", {
      response: respondList("permission_sets", permissionSetSchema),
      handle: (context) =>
        context
          .all(context.store.permissionSets.of(context.workspace.id))
          .map((row) => serializePermissionSet(context, row)),
    }),
    admin("POST", "Create a custom permission set", {
      body: permissionSetBody,
      response: respondCreated(permissionSetSchema),
      handle: (context) => serializePermissionSet(context, createPermissionSet(context, context.body)),
    }),
    admin("GET /:permission_set_id", "One permission set", {
      response: respondOk(permissionSetSchema),
      handle: (context) => serializePermissionSet(context, getPermissionSet(context)),
    }),
    admin("PATCH /:permission_set_id", "Change a custom permission set", {
      body: permissionSetBody,
      response: respondOk(permissionSetSchema),
      handle: (context) => {
        const { service, store, workspace, body } = context;
        const set = getPermissionSet(context);
        requireCustom(set);
        const all = store.permissionSets.of(workspace.id);
        requireUnusedName(service, "permission_sets", all, body.name, set.id);
        Object.assign(set, body);
        return serializePermissionSet(context, store.permissionSets.update(set));
      },
    }),
    admin("DELETE /:permission_set_id", "Delete a custom permission set", {
      handle: (context) => {
        const set = getPermissionSet(context);
        requireCustom(set);
        deletePermissionSet(context, set);
      },
    }),
  ],
};
