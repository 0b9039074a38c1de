/** Runs `workspacectl stack`. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AutomationError } from "../../../automation/errors.js";
import { formatNextCommand } from "../../../automation/next-command.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { findBackend } from "../../../automation/stack/backend.js";
import { migrateState } from "../../../automation/stack/migrate-state.js";
import {
  createMissingStackError,
  createStack,
  stackExists,
  stackNames,
} from "../../../automation/stack/missing-stack.js";
import { findProject, getBackupFolder } from "../../../automation/stack/project.js";
import { runPulumi } from "../../../automation/stack/pulumi.js";
import {
  openPulumi,
  type ProjectOptions,
  type PulumiProject,
} from "../../../automation/stack/pulumi-project.js";
import { isUnsettled, noteUnsettled } from "../../../automation/stack/recovery.js";
import { deselectStack, selectStack, stackOfFile } from "../../../automation/stack/stack-choice.js";
import type { Deployment } from "../../../automation/stack/state.js";
import { formatCount } from "../../../diff/format-count.js";
import { type Io, print, printResult } from "../../../reports/io.js";
import { printResultTo } from "../../../reports/output.js";
import { escapeJson } from "../../../text/safe-text.js";
import { makeFolder, writeFile } from "../../../trust/output-files.js";
import { printPulumi } from "../../operations/print-pulumi.js";
import { askConfirmation, requireYes } from "../../terminal/answers.js";
import type {
  StackExportOptions,
  StackListOptions,
  StackMigrateOptions,
  StackRemoveOptions,
  StackSelectOptions,
} from "./stack-command.js";

/** Lists the stacks of the project, and shows where their state is stored. */
export async function stackList(options: StackListOptions, io: Io): Promise<number> {
  const { cli, project, stack, backend } = await openPulumi(options, { secrets: false }, io);
  // Pulumi marks the one that commands without --stack take.
  await selectStack({ root: cli.cwd, name: project.name }, { url: backend }, cli.env, stack);
  note(io, `Project ${project.name} in ${project.root}; state in ${String(backend)}`);
  await printPulumi(cli, ["stack", "ls", ...(options.json ? ["--json"] : [])], io);
  return exitCodes.ok;
}

/** Creates an empty stack, so that it can be configured before the first `up`. */
export async function stackInit(options: StackSelectOptions, io: Io): Promise<number> {
  const { name } = options;
  const { target, stack, backend } = await openPulumi({ ...options, stack: name }, { secrets: true }, io);
  if (await stackExists(target))
    throw new AutomationError(
      `there is a stack ${stack} already in ${String(backend)}; nothing was changed`,
      `select it with "workspacectl stack select ${name}", or choose another name`,
    );
  await createStack(target, io);
  return exitCodes.ok;
}

/** Selects the stack for commands without --stack. */
export async function stackSelect(options: StackSelectOptions, io: Io): Promise<number> {
  const project = findProject(options.file);
  const backend = findBackend(project, io.env);
  const { name } = options;
  const ofFile = stackOfFile(options);
  if (ofFile !== undefined && ofFile !== name)
    throw new AutomationError(
      `${options.file} sets stack ${ofFile}, which takes precedence over a selection`,
      `remove its "stack:", or select ${name} with --stack or PULUMI_STACK`,
    );
  const { cli } = await openPulumi({ ...options, stack: name }, { secrets: false }, io);
  const target = { name, why: "to be selected", isFree: true, project, backend, cli };
  if (!(await stackExists(target)))
    throw await createMissingStackError(target, await stackNames(cli), { ...options, stack: name });
  await selectStack(project, backend, io.env, name);
  print(io, `Commands without --stack now use ${name}.`);
  return exitCodes.ok;
}

/** Removes a stack, whose objects must be destroyed before. */
export async function stackRemove(options: StackRemoveOptions, io: Io): Promise<number> {
  requireYes(options.yes, "stack rm", io, "stack");
  const { name } = options;
  const { cli, project, backend, location } = await openPulumi(
    { ...options, stack: name },
    { secrets: false },
    io,
  );
  if (await isUnsettled(location, cli))
    throw new AutomationError(
      `a run on stack ${name} was killed, and its state does not yet contain what it created; nothing was changed`,
      `run "${formatNextCommand(["destroy"], { ...options, stack: name })}" first, or preview to keep the objects`,
    );
  if (
    !options.yes &&
    !(await askConfirmation(
      `Remove stack ${name}, its configuration and history from ${String(backend)}?`,
      io,
    ))
  )
    return exitCodes.declined;
  await runPulumi(cli, ["stack", "rm", name, "--yes"]).catch((error: unknown) => {
    if (!/still contains resources|still has resources/.test((error as Error).message)) throw error;
    throw new AutomationError(
      `stack ${name} still manages objects; nothing was changed`,
      `delete them with "${formatNextCommand(["destroy"], { ...options, stack: name })}", or keep them and forget the stack with "workspacectl pulumi -- stack rm ${name} --force"`,
    );
  });
  cli.folder?.saveStack(name);
  await deselectStack(project, { url: backend }, io.env, name);
  print(io, `Stack ${name} is removed.`);
  return exitCodes.ok;
}

/** Exports the state, with secrets encrypted. */
export async function stackExport(options: StackExportOptions, io: Io): Promise<number> {
  const { cli, stack, location } = await openPulumi(options, { secrets: true }, io);
  await noteUnsettled(location, cli, options, io);
  const text = await runPulumi(cli, ["stack", "export", "--stack", stack]);
  const done = `The state of stack ${stack} is in ${options.output}; its secrets are encrypted.`;
  printResultTo(options.output, `${escapeJson(text.trimEnd())}\n`, io, done);
  return exitCodes.ok;
}

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
    throw new AutomationError(
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
    throw new AutomationError(
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
  if (existsSync(file))
    throw new AutomationError(`${file} already exists`, "choose another file for the backup");
  try {
    makeFolder(dirname(file), { named: true });
    writeFile(file, text, { named: true, mode: 0o600 });
  } catch (error) {
    throw new AutomationError(
      `${file} cannot be written (${(error as Error).message}); the state was not changed`,
      "choose another file with --backup",
    );
  }
  return file;
}
