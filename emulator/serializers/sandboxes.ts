import { text } from "../fields.js";
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { SandboxRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
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

export function serializeSandbox(
  service: Service,
  workspace: WorkspaceRow,
  row: SandboxRow,
): Record<string, unknown> {
  const project = row.projectId === null ? undefined : service.store.projects.require(row.projectId);
  const seeded = row.fields;
  const or = (name: string, fallback: unknown = null): unknown => seeded[name] ?? fallback;
  return {
    ...service.links.inWorkspace(workspace.domain, "sandboxes", row.sandbox_id),
    id: row.sandbox_id,
    identifier: row.identifier,
    name: row.name,
    status: row.status,
    setup_status: or("setup_status", "SUCCESS"),
    os: or("os", "ubuntu:24.04"),
    resources: or("resources", "1x2"),
    first_boot_commands: or("first_boot_commands"),
    app_dir: or("app_dir"),
    apps: or("apps", []),
    fetch: or("fetch", []),
    timeout: or("timeout"),
    tags: or("tags", []),
    boot_logs: or("boot_logs", []),
    endpoints: or("endpoints", []),
    ssh_host: or("ssh_host"),
    ssh_port: or("ssh_port"),
    scope: or("scope", project === undefined ? "WORKSPACE" : "PROJECT"),
    project: project === undefined ? null : serializeProject(service, workspace, project),
    environment: or("environment"),
    permissions: or("permissions"),
    note: or("note"),
    agent_note: or("agent_note"),
    create_date: formatDate(row.createdAt),
    variables: or("variables", []),
    source_sandbox_id: or("source_sandbox_id"),
    snapshot_id: or("snapshot_id"),
  };
}
