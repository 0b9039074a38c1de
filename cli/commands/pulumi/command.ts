/** `workspacectl pulumi` runs any Pulumi command where `workspacectl` would run it. */
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
  run: async () => {
    const { openPulumi, passToPulumi } = await import("../../engine/stack/pulumi-project.js");
    const { noteUnsettled } = await import("../../engine/stack/recovery.js");
    return async (options, io) => {
      // Pulumi itself asks for the passphrase if the command needs one.
      const { cli, location } = await openPulumi(options, { secrets: false, passed: true }, io);
      await noteUnsettled(location, cli, options, io);
      return passToPulumi(cli, options.args, io);
    };
  },
});
