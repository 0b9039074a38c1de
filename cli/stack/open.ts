/** From a workspace file and flags to a Pulumi stack whose operations can be run. */
import type * as Automation from "@pulumi/pulumi/automation/index.js";
import { hasOverlays, ReadOnce, type ReadOptions } from "../../sdk/nodejs/load/index.js";
import { DELETE_VARIABLE } from "../../provider/index.js";
import { metered } from "../budget/meter.js";
import { CliError } from "../errors.js";
import { isSecretVariable, note, type Io } from "../io.js";
import { expectOf } from "../progress/expected.js";
import { debugLines } from "../service/client.js";
import { connectionFor, connectionVariables, type WorkspaceConnection } from "../service/connection.js";
import { readFile, readHead, type FileFacts } from "../service/file.js";
import { preflight } from "../service/preflight.js";
import {
  dataEnvironment,
  ensurePulumi,
  progressPrinter,
  toolchainEnvironment,
  trustedPath,
  withOwnHost,
  type PulumiToolchain,
} from "../toolchain/index.js";
import { noteOtherCopy, refuseCodeInState, refuseCodeOf } from "./data-only.js";
import { removeCutOffFiles } from "./locks.js";
import { configOfNewStack } from "./new-config.js";
import { passphraseVariables } from "./passphrase.js";
import { programIn } from "./program.js";
import {
  findBackend,
  findProject,
  mayConfigure,
  prepareProject,
  type Backend,
  type Project,
} from "./project.js";
import { DEFAULT_STACK, given, selectedStack } from "./pulumi-project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import { recoverStack } from "./recovery.js";

/** Options of all commands that work on a stack. */
export interface StackOptions {
  readonly file: string;
  readonly stack?: string;
  readonly connection?: string;
  /** Laid over the workspace file, after the one of the stack. */
  readonly overlay?: readonly string[];
  /** Folders beside the file's own from which it may read. */
  readonly allowPath?: readonly string[];
  /** Texts to take instead of what files hold, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Folder of a Pulumi program, in place of a file. */
  readonly program?: string;
}

export interface OpenStack {
  readonly stack: Automation.Stack;
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
  readonly project: Project;
  readonly file: FileFacts;
  /** The file in which requests are counted, and the world in which they are. */
  readonly meter: string;
  readonly io: Io;
}

export interface Purpose {
  /** The program runs, so the file has to be right and the stack is made if it is not there. */
  readonly program: boolean;
  /**
   * Nothing is written, not even to the state: a stack that is not there is an error, and what a killed run left is not
   * settled. What cannot be read is found out later.
   */
  readonly lookOnly?: boolean;
}

/**
 * Opens the stack of a workspace file. All that can be wrong with the file and the connection is found before Pulumi
 * starts, and before anything is written.
 */
export async function openStack(options: StackOptions, purpose: Purpose, world: Io): Promise<OpenStack> {
  const { io, file: meter } = metered(world);
  const program = options.program === undefined ? undefined : programIn(options.program);
  const project = program?.project ?? findProject(options.file);
  // What is judged here, what the engine's program declares and where findings are placed is one and the same text.
  const once = new ReadOnce();
  const reading = (stack: string) => ({ ...readOptions(options, stack, io), once });
  const read = (stack: string) =>
    program?.facts ?? (purpose.program ? readFile : readHead)(options.file, reading(stack));
  // Which stack it is may have to be asked of Pulumi; most files are the same for all of them.
  const expected = options.stack ?? DEFAULT_STACK;
  const before =
    options.stack === undefined && !program && !project.own && hasOverlays(options.file)
      ? undefined
      : read(expected);
  const early =
    before === undefined || mayConfigure(project)
      ? undefined
      : await connect(options, before, {}, purpose, io);
  if (!program) {
    refuseCodeOf(project, expected);
    noteOtherCopy(project, io);
  }
  const backend = findBackend(project, io.env);
  if (backend.notice !== undefined) note(io, backend.notice);
  prepareProject(project);
  const place = { backendUrl: backend.url, root: project.root, project: project.name };
  removeCutOffFiles(place);

  // Loading the Automation API takes most of a second: meanwhile the CLI is looked for and asked.
  const loading = import("@pulumi/pulumi/automation/index.js");
  const found = await ensurePulumi({
    env: program ? io.env : { ...io.env, PATH: trustedPath(io.env) },
    onProgress: progressPrinter(io.stderr),
    languageHost: program ? "required" : "optional",
  });
  const toolchain = program ? found : await withOwnHost(found, io.env);
  const base: PulumiCli = {
    command: toolchain.command,
    cwd: project.root,
    env: {
      ...given(io.env),
      ...(await (program ? toolchainEnvironment : dataEnvironment)(toolchain, io.env)),
      ...backend.env,
    },
  };
  const selected = options.stack === undefined ? await selectedStack(project, base) : undefined;
  const name = options.stack ?? selected ?? DEFAULT_STACK;
  const file = before ?? read(name);
  if (!program && name !== expected) refuseCodeOf(project, name);
  const passphrase = await passphraseVariables({ project, backend, stack: name }, io);
  const withPassphrase = { ...base, env: { ...base.env, ...passphrase } };
  const connection =
    early ?? (await connect(options, file, await configOf(name, project, withPassphrase), purpose, io));
  // The guards of workspacectl have judged what the provider would refuse under plain Pulumi.
  const cli = {
    ...withPassphrase,
    env: { ...withPassphrase.env, ...connectionVariables(connection), [DELETE_VARIABLE]: "*" },
  };

  const create = purpose.program && !purpose.lookOnly;
  if (selected === undefined) await ensureStack({ name, cli, project, backend, create }, io);
  const stackPlace = { ...place, stack: name.split("/").at(-1) ?? name, name, cli };
  if (!program) await refuseCodeInState(stackPlace);
  if (!purpose.lookOnly) await recoverStack({ ...stackPlace, connection }, io);
  const stack = await automationStack(await loading, {
    name,
    cli,
    toolchain,
    load: program ? undefined : () => [options.file, reading(name)],
  });
  const count = file.declared?.declarations.length;
  if (count !== undefined) expectOf(stack, { reading: count, comparing: count });
  return { stack, name, cli, connection, project, file, meter, io };
}

function readOptions({ overlay, allowPath, texts }: StackOptions, stack: string, io: Io): ReadOptions {
  return { env: io.env, stack, overlays: overlay, allowPaths: allowPath, texts };
}

async function connect(
  { connection: flag }: StackOptions,
  file: FileFacts,
  config: Readonly<Record<string, string>>,
  { lookOnly }: Purpose,
  io: Io,
): Promise<WorkspaceConnection> {
  const connection = connectionFor({ flag, file, config, env: io.env, debug: debugLines(io) });
  await preflight(connection, lookOnly ? new Set() : file.types, io);
  return connection;
}

/** The stack's configuration of the connection, by key. */
async function configOf(stack: string, project: Project, cli: PulumiCli): Promise<Record<string, string>> {
  const told = await runPulumi(cli, ["config", "--json", "--show-secrets", "--stack", stack]).then(
    (text) => JSON.parse(text) as Record<string, { value?: string }>,
    (error: Error) => {
      if (/no stack named/.test(error.message)) return configOfNewStack(stack, project, cli);
      throw error;
    },
  );
  const prefix = "workspace-automation:";
  const entries = Object.entries(told);
  return Object.fromEntries(
    entries
      .filter(([key, { value }]) => key.startsWith(prefix) && value !== undefined)
      .map(([key, { value }]) => [key.slice(prefix.length), value ?? ""]),
  );
}

async function ensureStack(
  {
    name,
    cli,
    project,
    backend,
    create,
  }: { name: string; cli: PulumiCli; project: Project; backend: Backend; create: boolean },
  io: Io,
): Promise<void> {
  try {
    await runPulumi(cli, ["stack", "--stack", name, "--show-name"]);
  } catch (error) {
    if (!/no stack named/.test((error as Error).message)) throw error;
    if (!create) {
      throw new CliError(
        `there is no stack ${name} of project ${project.name} in ${backend.url}: name another with --stack, or run "workspacectl up" first`,
      );
    }
    await runPulumi(cli, ["stack", "init", name]);
    note(io, `Stack ${name} of project ${project.name} is new.`);
  }
}

async function automationStack(
  { LocalWorkspace, PulumiCommand, Stack }: typeof Automation,
  at: {
    name: string;
    cli: PulumiCli;
    toolchain: PulumiToolchain;
    load: (() => [string, ReadOptions]) | undefined;
  },
): Promise<Automation.Stack> {
  const { name, cli, toolchain, load } = at;
  // The program runs in this process; its part of the environment is the connection. It declares, and needs no token: what is
  // in this process's environment, each program that it starts has too.
  const variables = Object.entries(cli.env).filter(
    ([variable]) => variable.startsWith("WORKSPACE_AUTOMATION_") && !isSecretVariable(variable),
  );
  Object.assign(process.env, Object.fromEntries(variables));
  const workspace = await LocalWorkspace.create({
    workDir: cli.cwd,
    envVars: { ...cli.env },
    pulumiCommand: await PulumiCommand.get({ root: toolchain.root }),
    ...(load && {
      program: async () => {
        const { loadWorkspace } = await import("../../sdk/nodejs/index.js");
        loadWorkspace(...load());
      },
    }),
  });
  // The Automation API would select the stack, so that another `pulumi up` of the user's works on it.
  workspace.selectStack = () => Promise.resolve();
  return Stack.select(name, workspace);
}
