/** Declares `workspacectl refresh`. */
import { createUnverifiableOption } from "../../options/common.js";
import { createEngineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const refreshCommand = defineCommand({
  name: "refresh",
  group: "Common commands",
  description: "Update the state to match the workspace, without changing the workspace",
  options: [...createEngineOptions(), createUnverifiableOption()],
  example: "workspacectl refresh -f workspace.yaml",
  run: async () => (await import("./run.js")).refresh,
});
