import { exitCodes } from "../exit-codes.js";
import { print, type Io } from "../io.js";
import { printDrift, printNotes, seconds } from "../plan/print.js";
import { openStack, type StackOptions } from "../stack/open.js";
import { refreshStack } from "../stack/operations.js";

/** Reads the workspace into the state, and shows what was changed outside. */
export async function refresh(options: StackOptions, io: Io): Promise<number> {
  const { stack, connection, name } = await openStack(options, { program: false }, io);
  const { workspace, baseUrl } = connection;
  print(io, `Workspace ${io.colors.bold(workspace)} at ${baseUrl}, stack ${io.colors.bold(name)}\n`);
  const seen = await refreshStack(stack, io);
  printNotes(seen, io);
  printDrift(seen.drift, io);
  const found =
    seen.drift.length === 0
      ? "Nothing was changed outside"
      : `${seen.drift.length} changed outside; "workspacectl up" brings the workspace back to the file`;
  print(io, `${found} (${seconds(seen.milliseconds)})`);
  return exitCodes.ok;
}
