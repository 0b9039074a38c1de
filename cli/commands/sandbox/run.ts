/** Runs `workspacectl sandbox`. */
import { exitCodes } from "../../errors.js";
import { print, type Io } from "../../terminal/io.js";
import { withService, type ServiceOptions } from "../../connection/api-client.js";
import { printJson } from "../../terminal/output.js";

export interface RestartOptions extends ServiceOptions {
  readonly id: string;
  readonly json?: boolean;
}

/** Restarts a sandbox. The request is never repeated: when the response is lost, the error names what to check. */
export function restart(options: RestartOptions, io: Io): Promise<number> {
  return withService(options, io, async ({ client, workspace }) => {
    const sandbox = await client.sandboxes.restart(await workspace(), options.id);
    if (options.json) printJson(io, sandbox);
    else {
      const name = sandbox.name ?? sandbox.identifier;
      print(
        io,
        `Sandbox ${sandbox.id}${name ? ` (${name})` : ""} restarts: ${sandbox.status ?? "status not known"}`,
      );
    }
    return exitCodes.ok;
  });
}
