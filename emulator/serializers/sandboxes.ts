import { text } from "../fields.js";
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { WorkspaceLocation } from "../context.js";
import type { SandboxRow } from "../model.js";
import { links, integerOrNull, schema, textOrNull } from "../response.js";
import { projectSummary, serializeProject } from "./projects.js";

const any = z.unknown();

/** Sandbox of the spec, which does not show its nested objects in full: the seed defines them. */
export const sandboxSchema = schema("Sandbox", {
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
  environment: any,
  permissions: any,
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

export function serializeSandbox(location: WorkspaceLocation, row: SandboxRow): Record<string, unknown> {
  const { links: linker, store } = location.service;
  const project = row.projectId === null ? undefined : store.projects.require(row.projectId);
  const scope = project === undefined ? "WORKSPACE" : "PROJECT";
  const fields: Record<string, unknown> = {};
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
