/** Declares `workspacectl plugin`. */
import { defineCommand } from "../define-command.js";

export const pluginCommand = defineCommand({
  name: "plugin",
  group: "Stacks and tools",
  description: "Install the packaged plugin for Pulumi programs",
  subcommands: [
    defineCommand({
      name: "install",
      description: "Install the packaged plugin where Pulumi finds it from every folder, without a download",
      example: "workspacectl plugin install",
      run: async () => (await import("./run-plugin.js")).runPluginInstall,
    }),
  ],
});
