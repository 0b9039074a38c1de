/** Declares `workspacectl validate`. */
import { checkOptions } from "../../options/diagnostics.js";
import { createPolicyOption } from "../../options/guards.js";
import { defineCommand } from "../command.js";

export const validateCommand = defineCommand({
  name: "validate",
  group: "Common commands",
  description: "Check a workspace file for errors, without contacting the service",
  options: [...checkOptions(), createPolicyOption()],
  example: "workspacectl validate -f workspace.yaml --format github",
  run: async () => (await import("./run.js")).validate,
});
