/** Declares the workspace that the variables of the Stack name (us.yaml). */
import { loadWorkspace } from "pulumi-workspace-automation";

const list = (name) => JSON.parse(process.env[name] ?? "[]");

loadWorkspace(process.env.WORKSPACE_FILE ?? "workspace.yaml", {
  overlays: list("WORKSPACE_OVERLAYS"),
  allowPaths: list("WORKSPACE_ALLOW_PATHS"),
});
