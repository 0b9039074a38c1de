/** Sandboxes, which can only be restarted. */
import { z } from "zod";
import type { Http } from "../http.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";
import type { ProjectSummary } from "./summaries.js";

/** The nested views (apps, fetch, endpoints, permissions, variables, environment) are passed on as they are. */
export const Sandbox = apiObject({
  ...links,
  id: z.string(),
  identifier: unchecked<string>(),
  name: unchecked<string>(),
  status: unchecked<"STARTING" | "STOPPING" | "FAILED" | "RUNNING" | "STOPPED" | "RESTORING">(),
  setup_status: unchecked<"INPROGRESS" | "SUCCESS" | "FAILED" | "STALE">(),
  os: unchecked<string>(),
  resources: unchecked<string>(),
  first_boot_commands: unchecked<string>(),
  app_dir: unchecked<string>(),
  apps: unchecked<{ id?: string; command?: string; app_status?: string }[]>(),
  fetch: unchecked<unknown[]>(),
  timeout: unchecked<number>(),
  tags: unchecked<string[]>(),
  boot_logs: unchecked<string[]>(),
  endpoints: unchecked<unknown[]>(),
  ssh_host: unchecked<string>(),
  ssh_port: unchecked<number>(),
  scope: unchecked<"PROJECT" | "ENVIRONMENT" | "WORKSPACE">(),
  project: unchecked<ProjectSummary>(),
  environment: unchecked<unknown>(),
  permissions: unchecked<unknown>(),
  note: unchecked<string>(),
  agent_note: unchecked<string>(),
  create_date: unchecked<string>(),
  variables: unchecked<unknown[]>(),
  source_sandbox_id: unchecked<string>(),
  snapshot_id: unchecked<string>(),
});
export type Sandbox = z.infer<typeof Sandbox>;

/** Sandboxes (spec: Sandboxes). Scopes WORKSPACE, SANDBOX_WRITE. */
export const sandboxes = {
  /**
   * POST /workspaces/:workspace/sandboxes/:sandbox_id/restart. Errors: not-found, denied; ambiguous when the response
   * is lost, since it is not sent twice.
   */
  restart:
    (http: Http) =>
    (workspace: string, sandboxId: string, options?: CallOptions): Promise<Sandbox> => {
      const request = {
        method: "POST" as const,
        path: path`/workspaces/${workspace}/sandboxes/${sandboxId}/restart`,
        scopes: ["WORKSPACE", "SANDBOX_WRITE"],
      };
      const remedy = `Check sandbox ${sandboxId} in the web application: if it did not restart just now, restart it again.`;
      return http.once(Sandbox, request, remedy, options);
    },
};
