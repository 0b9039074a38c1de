/** Declares `workspacectl version`. */
import { defineCommand } from "../command.js";

export const versionCommand = defineCommand({
  name: "version",
  group: "Stacks and tools",
  description: "Print the version",
  example: "workspacectl version",
  run: async () => (await import("./run.js")).printVersion,
});
