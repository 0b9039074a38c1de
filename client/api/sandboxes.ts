import { z } from "zod";
import { Area } from "../http.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";
import type { ProjectSummary } from "./summaries.js";

/** The nested views (apps, fetch, endpoints, permissions, variables, environment) are passed on as they come. */
export const Sandbox = wire({
  ...links,
  id: z.string(),
  identifier: told<string>(),
  name: told<string>(),
  status: told<"STARTING" | "STOPPING" | "FAILED" | "RUNNING" | "STOPPED" | "RESTORING">(),
  setup_status: told<"INPROGRESS" | "SUCCESS" | "FAILED" | "STALE">(),
  os: told<string>(),
  resources: told<string>(),
  first_boot_commands: told<string>(),
  app_dir: told<string>(),
  apps: told<{ id?: string; command?: string; app_status?: string }[]>(),
  fetch: told<unknown[]>(),
  timeout: told<number>(),
  tags: told<string[]>(),
  boot_logs: told<string[]>(),
  endpoints: told<unknown[]>(),
  ssh_host: told<string>(),
  ssh_port: told<number>(),
  scope: told<"PROJECT" | "ENVIRONMENT" | "WORKSPACE">(),
  project: told<ProjectSummary>(),
  environment: told<unknown>(),
  permissions: told<unknown>(),
  note: told<string>(),
  agent_note: told<string>(),
  create_date: told<string>(),
  variables: told<unknown[]>(),
  source_sandbox_id: told<string>(),
  snapshot_id: told<string>(),
});
export type Sandbox = z.infer<typeof Sandbox>;

/** Sandboxes (spec: Sandboxes). Scopes WORKSPACE, SANDBOX_WRITE. */
export class Sandboxes extends Area {
  /**
   * POST /workspaces/:workspace/sandboxes/:sandbox_id/restart. Errors: not-found, denied; ambiguous when the answer
   * is lost, for it is not sent twice.
   */
  restart(workspace: string, sandboxId: string, options?: CallOptions): Promise<Sandbox> {
    const request = {
      method: "POST" as const,
      path: path`/workspaces/${workspace}/sandboxes/${sandboxId}/restart`,
      scopes: ["WORKSPACE", "SANDBOX_WRITE"],
    };
    const look = `Look at sandbox ${sandboxId} in the web application: if it did not restart just now, restart it again.`;
    return this.http.once(Sandbox, request, look, options);
  }
}
