/** Restores a state that cannot be read, and ends messages about objects that nobody can know. */
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { note, print, type Io } from "../../terminal/io.js";
import { confirmed, requireYes } from "../../engine/stack/confirm.js";
import { openPulumi } from "../../engine/stack/pulumi-project.js";
import { plainStateFile, pulumiFolder } from "../../engine/stack/state-files.js";
import { forgetCreation, noteUnsettled } from "../../engine/stack/recovery.js";
import { copiesOfState, objectCountIn, restoreCopy } from "../../engine/stack/state-copies.js";
import type { StackCommandOptions } from "./run.js";

export interface RepairOptions extends StackCommandOptions {
  readonly yes?: boolean;
  readonly forget?: string;
}

export async function stackRepair(options: RepairOptions, io: Io): Promise<number> {
  const { cli, stack, location } = await openPulumi(options, { secrets: false }, io);
  if (options.forget !== undefined) {
    const count = await forgetCreation(location, cli, options.forget);
    if (count === 0)
      throw new CliError(`no killed run on stack ${stack} has left anything of ${options.forget}`);
    print(io, `What a killed run did to ${options.forget} is forgotten.`);
    return exitCodes.ok;
  }
  requireYes(options.yes, "stack repair", io, "stack");
  const folder = pulumiFolder(location);
  if (folder === undefined)
    throw new CliError(
      `the state of stack ${stack} is not in a folder: restore an earlier version of it with the means of ${location.backendUrl.split("?")[0]}`,
    );
  const state = plainStateFile(folder, location);
  const now = objectCountIn(state);
  await noteUnsettled(location, cli, io);
  if (now !== undefined) {
    print(io, `The state of stack ${stack} can be read (${now} objects): there is nothing to repair.`);
    return exitCodes.ok;
  }
  const copies = copiesOfState(folder, location);
  print(io, `The state ${state} cannot be read. Copies of it:`);
  for (const { file, at, objects } of copies) print(io, `  ${at.toISOString()}  ${objects} objects  ${file}`);
  const [latest] = copies;
  if (latest === undefined)
    throw new CliError(
      `there is no copy of it: delete ${state}, create the stack again, and take over what exists with "workspacectl import" or ` +
        '"workspacectl up --adopt-after-crash"',
    );
  if (!options.yes && !(await confirmed(`Restore the latest of them?`, io))) return exitCodes.declined;
  restoreCopy(latest, state);
  print(io, `The state of stack ${stack} is that of ${latest.at.toISOString()} again.`);
  note(
    io,
    'The next "workspacectl preview" adds what the journal of a killed run tells, and compares the rest with the workspace. Objects that ' +
      'were created since then are named there: "workspacectl up --adopt-after-crash" takes them over.',
  );
  return exitCodes.ok;
}
