/** Runs `workspacectl pulumi`. */
import type { Io } from "../../terminal/io.js";
import { noteUnsettled } from "../../engine/stack/recovery.js";
import { openPulumi, passToPulumi, type ProjectOptions } from "../../engine/stack/pulumi-project.js";

/** Runs any Pulumi command where `workspacectl` would run it. Pulumi itself asks for the passphrase if the command needs one. */
export async function runPulumiCommand(
  options: ProjectOptions & { args: readonly string[] },
  io: Io,
): Promise<number> {
  const { cli, location } = await openPulumi(options, { secrets: false, passed: true }, io);
  await noteUnsettled(location, cli, options, io);
  return passToPulumi(cli, options.args, io);
}
