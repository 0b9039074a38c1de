/** Declares `workspacectl sandbox`. */
import { Argument } from "@commander-js/extra-typings";
import { createServiceOptions } from "../../options/common.js";
import { defineCommand } from "../command.js";

export const sandboxCommand = defineCommand({
  name: "sandbox",
  group: "Service",
  description: "Restart a sandbox of the workspace",
  example: "workspacectl sandbox restart 5f2c",
  configure: (command) => command.helpCommand(false),
  subcommands: [
    defineCommand({
      name: "restart",
      description: "Restart a sandbox",
      arguments: { id: new Argument("<id>", "Id of the sandbox") },
      options: createServiceOptions(),
      example: "workspacectl sandbox restart 5f2c",
      run: async () => (await import("./run.js")).restart,
    }),
  ],
});
