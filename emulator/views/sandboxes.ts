import { formatDate } from "../clock.js";
import type { SandboxRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { integerOrNull, links, text, textOrNull, view } from "../view.js";
import { projectSummary, showProject } from "./projects.js";

const any = { type: "any", nullable: true } as const;

/** The spec's Sandbox. Views inside of it are not shown by the spec in full: they are as the seed says. */
export const sandboxView = view("Sandbox", {
  ...links,
  id: text,
  identifier: text,
  name: text,
  status: { ...text, values: ["STARTING", "STOPPING", "FAILED", "RUNNING", "STOPPED", "RESTORING"] },
  setup_status: { ...text, values: ["INPROGRESS", "SUCCESS", "FAILED", "STALE"] },
  os: text,
  resources: text,
  first_boot_commands: textOrNull,
  app_dir: textOrNull,
  apps: { type: "array" },
  fetch: { type: "array" },
  timeout: integerOrNull,
  tags: { type: "strings" },
  boot_logs: { type: "strings" },
  endpoints: { type: "array" },
  ssh_host: textOrNull,
  ssh_port: integerOrNull,
  scope: { ...text, values: ["PROJECT", "ENVIRONMENT", "WORKSPACE"] },
  project: { type: "object", fields: projectSummary.fields, nullable: true },
  environment: any,
  permissions: any,
  note: textOrNull,
  agent_note: textOrNull,
  create_date: text,
  variables: { type: "array" },
  source_sandbox_id: textOrNull,
  snapshot_id: textOrNull,
});

export function showSandbox(
  service: Service,
  workspace: WorkspaceRow,
  row: SandboxRow,
): Record<string, unknown> {
  const project = row.projectId === null ? undefined : service.store.projects.need(row.projectId);
  const given = row.fields;
  const or = (name: string, fallback: unknown = null): unknown => given[name] ?? fallback;
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
    project: project === undefined ? null : showProject(service, workspace, project),
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
