import type { Io } from "../../terminal/io.js";
import { openPulumi, passToPulumi, type ProjectOptions } from "../../engine/stack/pulumi-project.js";

/** Runs any command of Pulumi's own, where `workspacectl` would run it. */
export async function pulumi(options: ProjectOptions & { args: readonly string[] }, io: Io): Promise<number> {
  const { cli } = await openPulumi(options, { secrets: true, code: true }, io);
  return passToPulumi(cli, options.args, io);
}
