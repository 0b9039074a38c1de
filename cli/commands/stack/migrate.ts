/** `workspacectl stack migrate`: converts the state of a stack to the other engine (dynamic providers or the plugin). */
import type { StackMigrateOptions } from "./command.js";
import { makeFolder, writeFile } from "../../../trust/output-files.js";
import { CliError, exitCodes } from "../../errors.js";
import { formatNextCommand } from "../../options/document.js";
import { isUnsettled } from "../../engine/stack/recovery.js";
import { askConfirmation, requireYes } from "../../terminal/answers.js";
import { migrateState } from "../../engine/stack/migrate-state.js";
import { getBackupFolder } from "../../engine/stack/project.js";
import { openPulumi, type ProjectOptions, type PulumiProject } from "../../engine/stack/pulumi-project.js";
import { runPulumi } from "../../engine/stack/pulumi.js";
import type { Deployment } from "../../engine/stack/state.js";
import { note, printResult, type Io } from "../../terminal/io.js";
import { formatCount } from "../../../diff/format-count.js";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

interface Exported {
  readonly deployment?: Deployment;
}

const names = { dynamic: "dynamic providers", plugin: "the packaged plugin" } as const;

/** Writes a backup of the state, then the migrated state. Secrets stay encrypted, and no request is sent to the service. */
export async function stackMigrate(options: StackMigrateOptions, io: Io): Promise<number> {
  const { to, yes } = options;
  requireYes(yes, "stack migrate", io, "stack");
  const opened = await openPulumi(options, { secrets: true }, io);
  const { cli, stack, location } = opened;
  const exporting = () => runPulumi(cli, ["stack", "export", "--stack", stack]);
  const before = await exporting();
  const state = JSON.parse(before) as Exported;
  refusePending(state, { ...options, stack }, await isUnsettled(location, cli));
  const { deployment, objects } = migrateState(state.deployment ?? {}, to);
  if (objects === 0) {
    printResult(io, `No object in the state of stack ${stack} has to be migrated to ${names[to]}.`);
    return exitCodes.ok;
  }
  const count = formatCount(objects, "object");
  if (
    !yes &&
    !(await askConfirmation(`Rewrite the state of stack ${stack} (${count}) for ${names[to]}?`, io))
  )
    return exitCodes.declined;
  const backup = writeBackup(before, options, opened);
  // Another run may have started in the meantime. Its state is newer and must not be overwritten.
  if ((await exporting()) !== before)
    throw new CliError(
      `another run has changed the state of stack ${stack} meanwhile; nothing was changed`,
      "run it again",
    );
  await runPulumi(cli, ["stack", "import", "--stack", stack], JSON.stringify({ ...state, deployment }));
  printResult(
    io,
    `The state of stack ${stack} is now for ${names[to]}: ${count}. Nothing was sent to the service.`,
  );
  note(io, `The previous state is in ${backup}; its secrets are encrypted. To go back:`);
  const back = ["stack", "migrate", "--to", to === "plugin" ? "dynamic" : "plugin"];
  note(io, `  ${formatNextCommand(back, { ...options, stack })}`);
  note(
    io,
    `  or, as long as nothing was changed since: workspacectl pulumi -- stack import --stack ${stack} --file ${backup}`,
  );
  return exitCodes.ok;
}

/** @param hasJournal whether a killed run has left a journal with unfinished creations */
function refusePending(
  { deployment }: Exported,
  named: ProjectOptions & { readonly stack: string },
  hasJournal: boolean,
): void {
  const { length } = deployment?.pending_operations ?? [];
  if (length > 0 || hasJournal)
    throw new CliError(
      `the state of stack ${named.stack} lacks operations that a killed run began; nothing was changed`,
      `"${formatNextCommand(["refresh"], named)}" completes it`,
    );
}

/** @returns the path of the backup */
function writeBackup(
  text: string,
  { backup }: StackMigrateOptions,
  { project, stack }: PulumiProject,
): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const name = `${stack.replaceAll("/", "-")}-${time}.json`;
  const file = resolve(backup ?? join(getBackupFolder(project), name));
  if (existsSync(file)) throw new CliError(`${file} already exists`, "choose another file for the backup");
  try {
    makeFolder(dirname(file), { named: true });
    writeFile(file, text, { named: true, mode: 0o600 });
  } catch (error) {
    throw new CliError(
      `${file} cannot be written (${(error as Error).message}); the state was not changed`,
      "choose another file with --backup",
    );
  }
  return file;
}
