/** Declares `workspacectl pulumi`. */
import { Argument } from "@commander-js/extra-typings";
import { createProjectFileOption } from "../../options/document.js";
import { defineCommand } from "../command.js";

export const pulumiCommand = defineCommand({
  name: "pulumi",
  group: "Stacks and tools",
  description: "Run any Pulumi command with the project's backend, passphrase and toolchain",
  arguments: { args: new Argument("<arguments...>", "After --: arguments for pulumi") },
  options: [createProjectFileOption()],
  example: "workspacectl pulumi -- stack history",
  run: async () => (await import("./run.js")).runPulumiCommand,
});
