/** Declares `workspacectl refresh`. */
import { createEngineOptions, createUnverifiableOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

export const refreshCommand = defineCommand({
  name: "refresh",
  group: "Common commands",
  description: "Update the state to match the workspace, without changing the workspace",
  options: [...createEngineOptions(), createUnverifiableOption()],
  example: "workspacectl refresh -f workspace.yaml",
  run: async () => (await import("./run-refresh.js")).refresh,
});
