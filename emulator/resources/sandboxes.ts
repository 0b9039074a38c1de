import { allowsPipelines, permissionSetOf } from "../access.js";
import { denied, notFound } from "../errors.js";
import { endpoints, type Resource } from "../route.js";
import { ok } from "../response.js";
import { sandboxSchema, serializeSandbox } from "../serializers/sandboxes.js";

/** Duration of a restart in milliseconds of the emulator's time. */
const startMilliseconds = 5000;

const sandbox = endpoints("/workspaces/:workspace/sandboxes", {
  area: "Sandboxes",
  scopes: ["WORKSPACE", "SANDBOX_WRITE"],
});

export const sandboxResource: Resource = {
  tables: { sandboxes: { belongsTo: { workspaces: "workspaceId", projects: "projectId" } } },
  routes: [
    sandbox("POST /:sandbox_id/restart", "Restart a sandbox: STARTING, and RUNNING a little later", {
      response: ok(sandboxSchema),
      handle: (context) => {
        const { service, store, workspace, user } = context;
        const id = context.param("sandbox_id");
        const row = store.sandboxes.find(workspace.id, (each) => each.sandbox_id === id);
        if (row === undefined) throw notFound(`Sandbox '${id}'`);
        if (!context.isAdmin && row.projectId !== null) {
          const set = permissionSetOf(store, store.projects.require(row.projectId), user.id);
          // The spec defines no level for this, so the right to run pipelines suffices.
          if (set === undefined || !allowsPipelines(set, "RUN_ONLY")) throw denied();
        }
        row.status = "STARTING";
        store.sandboxes.update(row);
        service.clock.at(context.now + startMilliseconds, async () => {
          if (row.status !== "STARTING") return;
          row.status = "RUNNING";
          store.sandboxes.update(row);
          await store.commit().catch(() => undefined);
        });
        return serializeSandbox(context, row);
      },
    }),
  ],
};
