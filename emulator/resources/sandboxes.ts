/** Endpoints and tables of sandboxes. */
import { z } from "zod";
import { allowsPipelines, findPermissionSet } from "../access.js";
import { formatDate } from "../clock.js";
import type { WorkspaceLocation } from "../context.js";
import { createDeniedError, createNotFoundError } from "../errors.js";
import { text } from "../fields.js";
import type { SandboxRow } from "../model.js";
import { defineSchema, integerOrNull, type Json, links, respondOk, textOrNull } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";
import { projectSummary, serializeProject } from "../serializers/projects.js";

/** Duration of a restart in milliseconds of the emulator's time. */
const startMilliseconds = 5000;

const sandbox = defineEndpoints("/workspaces/:workspace/sandboxes", {
  area: "Sandboxes",
  scopes: ["WORKSPACE", "SANDBOX_WRITE"],
});

/** Sandbox of the spec, which does not show its nested objects in full: the seed defines them. */
const sandboxSchema = defineSchema("Sandbox", {
  ...links,
  id: text,
  identifier: text,
  name: text,
  status: z.enum(["STARTING", "STOPPING", "FAILED", "RUNNING", "STOPPED", "RESTORING"]),
  setup_status: z.enum(["INPROGRESS", "SUCCESS", "FAILED", "STALE"]),
  os: text,
  resources: text,
  first_boot_commands: textOrNull,
  app_dir: textOrNull,
  apps: z.array(z.unknown()),
  fetch: z.array(z.unknown()),
  timeout: integerOrNull,
  tags: z.array(text),
  boot_logs: z.array(text),
  endpoints: z.array(z.unknown()),
  ssh_host: textOrNull,
  ssh_port: integerOrNull,
  scope: z.enum(["PROJECT", "ENVIRONMENT", "WORKSPACE"]),
  project: z.object(projectSummary.fields).nullable(),
  environment: z.unknown(),
  permissions: z.unknown(),
  note: textOrNull,
  agent_note: textOrNull,
  create_date: text,
  variables: z.array(z.unknown()),
  source_sandbox_id: textOrNull,
  snapshot_id: textOrNull,
});

const lists = ["apps", "fetch", "tags", "boot_logs", "endpoints", "variables"];
const defaults: Readonly<Record<string, unknown>> = {
  setup_status: "SUCCESS",
  os: "ubuntu:24.04",
  resources: "1x2",
  ...Object.fromEntries(lists.map((name) => [name, []])),
};

function serializeSandbox(location: WorkspaceLocation, row: SandboxRow): Json {
  const { links: linker, store } = location.service;
  const project = row.projectId === null ? undefined : store.projects.require(row.projectId);
  const scope = project === undefined ? "WORKSPACE" : "PROJECT";
  const fields: Json = {};
  for (const name in sandboxSchema.fields) fields[name] = row.fields[name] ?? defaults[name] ?? null;
  return {
    ...fields,
    ...linker.inWorkspace(location.workspace.domain, "sandboxes", row.sandbox_id),
    id: row.sandbox_id,
    identifier: row.identifier,
    name: row.name,
    status: row.status,
    scope: row.fields["scope"] ?? scope,
    project: project === undefined ? null : serializeProject(location, project),
    create_date: formatDate(row.createdAt),
  };
}

export const sandboxResource: Resource = {
  tables: { sandboxes: { belongsTo: { workspaces: "workspaceId", projects: "projectId" } } },
  routes: [
    sandbox("POST /:sandbox_id/restart", "Restart a sandbox: STARTING, and RUNNING a little later", {
      response: respondOk(sandboxSchema),
      handle: (context) => {
        const { service, store, workspace, user } = context;
        const id = context.param("sandbox_id");
        const row = store.sandboxes.find(workspace.id, (each) => each.sandbox_id === id);
        if (row === undefined) throw createNotFoundError(`Sandbox '${id}'`);
        if (!context.isAdmin && row.projectId !== null) {
          const set = findPermissionSet(store, store.projects.require(row.projectId), user.id);
          // The spec defines no level for this, so the right to run pipelines is enough.
          if (set === undefined || !allowsPipelines(set, "RUN_ONLY")) throw createDeniedError();
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
