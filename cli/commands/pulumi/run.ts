import type { Io } from "../../terminal/io.js";
import { settleJournal } from "../../engine/checkpoint/settle.js";
import { openPulumi, passToPulumi, type ProjectOptions } from "../../engine/stack/pulumi-project.js";

/** Runs any Pulumi command where `workspacectl` would run it. Pulumi itself asks for the passphrase if the command needs one. */
export async function pulumi(options: ProjectOptions & { args: readonly string[] }, io: Io): Promise<number> {
  const { cli, location } = await openPulumi(options, { secrets: false, passed: true }, io);
  await settleJournal(location, io);
  return passToPulumi(cli, options.args, io);
}
