/** `workspacectl sandbox` restarts a sandbox of the workspace. */
import { Argument } from "@commander-js/extra-typings";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { print } from "../../../reports/io.js";
import { createServiceOptions } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

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
      // The request is never repeated: when the response is lost, the error names what to check.
      run: async () => {
        const { withService } = await import("../../../automation/connection/api-client.js");
        const { printJson } = await import("../../../reports/output.js");
        return (options, io) =>
          withService(options, io, async ({ client, workspace }) => {
            const { id, json } = options;
            const sandbox = await client.sandboxes.restart(await workspace(), id);
            if (json) printJson(io, sandbox);
            else {
              const name = sandbox.name ?? sandbox.identifier;
              const status = sandbox.status ?? "status not known";
              print(io, `Sandbox ${sandbox.id}${name ? ` (${name})` : ""} restarts: ${status}`);
            }
            return exitCodes.ok;
          });
      },
    }),
  ],
});
