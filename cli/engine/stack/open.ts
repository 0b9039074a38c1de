/** Opens the Pulumi stack of a workspace file for the engine's operations. */
import { existsSync } from "node:fs";
import { hasOverlays, ReadOnce, type LoadOptions } from "../../../workspace-file/load/index.js";
import {
  DELETE_VARIABLE,
  ENGINE_VARIABLE,
  openRequestCounter,
  SharedReads,
  type ProviderEngine,
} from "../../../provider/index.js";
import { EngineStack } from "./engine-stack.js";
import { fileProgram } from "../host/file-program.js";
import { countingRequests } from "../../policies/request-budget.js";
import { CliError } from "../../errors.js";
import { note, type Io } from "../../terminal/io.js";
import { expectOf } from "../progress/expected.js";
import { debugLines } from "../../connection/api-client.js";
import { connectionFor, connectionVariables, type WorkspaceConnection } from "../../connection/connection.js";
import { readFile, readHead, type FileFacts } from "../../connection/file.js";
import { preflight } from "../../connection/preflight.js";
import { deploymentOf, noteOtherCopy, refuseCodeInState, refuseCodeOf } from "./code-check.js";
import { stateFile, type StackLocation } from "./lock-files.js";
import { removeTruncatedFiles } from "./locks.js";
import { configOfNewStack } from "./new-config.js";
import {
  askToCreate,
  createStack,
  stackExists,
  missingText,
  missingStackError,
  stackNames,
  temporaryProject,
  tryStack,
  type StackTarget,
  type WhenMissing,
} from "./missing-stack.js";
import { hasPassphrase, passphraseVariables } from "./passphrase.js";
import { programIn } from "./program.js";
import {
  findBackend,
  findProject,
  mayConfigure,
  mayHaveStacks,
  prepareProject,
  stackSettings,
  type PulumiProjectFolder,
} from "./project.js";
import { DEFAULT_STACK, pulumiCli, selectedStack } from "./pulumi-project.js";
import { notWatchedIn, notWatchedInState } from "./not-watched.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import type { Deployment } from "./state.js";
import { recoverStack } from "./recovery.js";
import { settleJournal } from "../checkpoint/settle.js";

/** Options of all commands that work on a stack. */
export interface StackOptions {
  readonly file: string;
  readonly stack?: string;
  readonly connection?: string;
  /** Overlays that are applied after the stack's own overlay. */
  readonly overlay?: readonly string[];
  /** Further folders that placeholders and includes may read from. */
  readonly allowPath?: readonly string[];
  /** Texts that replace the content of files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Folder of a Pulumi program, instead of a file. */
  readonly program?: string;
  /** Engine of the file's resources. Default: that of the file, else that of the state. */
  readonly engine?: ProviderEngine;
}

export interface OpenStack {
  readonly stack: EngineStack;
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
  readonly project: PulumiProjectFolder;
  readonly location: StackLocation;
  readonly file: FileFacts;
  /** File in which requests are counted. */
  readonly requestCounter: string;
  readonly io: Io;
  /** Creates the stack and opens it; absent when it exists. Until then, operations run on an empty temporary state. */
  readonly create?: () => Promise<OpenStack>;
  /** Reads the state. Decrypts no secret. */
  readonly state: () => Promise<Deployment>;
  /** Names of the project's other stacks. */
  readonly otherStacks: () => Promise<readonly string[]>;
}

export interface Purpose {
  /** The operation runs the program, so the whole file is read and has to be valid. */
  readonly program: boolean;
  /** What to do when the stack does not exist; by default an error. */
  readonly missing?: WhenMissing | ((stack: string, project: PulumiProjectFolder) => WhenMissing);
  /** The location of the state has already been printed. */
  readonly backendShown?: boolean;
  /** The command stores values encrypted with the passphrase even when the stack does not exist yet. */
  readonly needsPassphrase?: boolean;
  /** Send no further requests: do not look for the objects of an interrupted run, and do not check permissions in advance. */
  readonly readOnly?: boolean;
}

/**
 * Opens the stack of a workspace file. Finds every problem of the file and the connection before Pulumi starts and before
 * anything is written.
 */
export async function openStack(
  options: StackOptions,
  purpose: Purpose,
  world: Io,
  once: ReadOnce = new ReadOnce(),
  shared?: SharedReads,
): Promise<OpenStack> {
  const { io, file: requestCounter } = countingRequests(world);
  const reads = shared ?? new SharedReads(openRequestCounter(io.env)?.listed);
  const program = options.program === undefined ? undefined : programIn(options.program);
  const project = program?.project ?? findProject(options.file);
  // Validation, the engine's program and the locations of findings all use the same text of each file.
  const reading = (stack: string) => ({ ...readOptions(options, stack, io), once });
  const read = (stack: string) =>
    program?.facts ?? (purpose.program ? readFile : readHead)(options.file, reading(stack));
  // Only Pulumi may know the selected stack, but without overlays the file is the same for all stacks and can be read now.
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
  if (backend.notice !== undefined && !purpose.backendShown) note(io, backend.notice);
  const location = { backendUrl: backend.url, root: project.root, project: project.name };
  removeTruncatedFiles(location);

  // Nothing is created before the user agrees to create the stack.
  const isPrepared = existsSync(project.root);
  if (isPrepared) prepareProject(project);
  const mayBeThere = !backend.isOwn || mayHaveStacks(project, io.env);
  const needs = program
    ? ({ code: true, languageHost: "required" } as const)
    : ({ code: false, languageHost: "optional" } as const);
  const base = await pulumiCli(isPrepared ? project.root : temporaryProject(project), backend, needs, io);
  const selected = options.stack === undefined && mayBeThere ? await selectedStack(project, base) : undefined;
  const name = options.stack ?? selected ?? DEFAULT_STACK;
  const file = before ?? read(name);
  if (!program && name !== expected) refuseCodeOf(project, name);
  const target: StackTarget = { name, project, backend, cli: base };
  const stackLocation = { ...location, stack: name.split("/").at(-1) ?? name };
  // The CLI takes a third of a second, so the state file is checked first.
  const hasFile = !name.includes("/") && stateFile(stackLocation) !== undefined;
  const exists = selected !== undefined || (mayBeThere && (hasFile || (await stackExists(target))));
  const otherStacks = async () =>
    mayBeThere ? (await stackNames(base)).filter((other) => other !== name) : [];
  const { missing = "refuse" } = purpose;
  const action = exists ? undefined : typeof missing === "function" ? missing(name, project) : missing;
  if (action === "refuse") throw missingStackError(target, await otherStacks());
  if (action === "ask") await askToCreate(target, await otherStacks(), io);

  const hasSalt = stackSettings(project, name)["encryptionsalt"] !== undefined;
  const isNeeded = action !== "try" || purpose.needsPassphrase === true || hasSalt || hasPassphrase(io.env);
  const passphrase = isNeeded ? await passphraseVariables({ project, backend, stack: name }, io) : {};
  const withPassphrase = { ...base, env: { ...base.env, ...passphrase } };
  const connection =
    early ??
    (await connect(options, file, await configOf({ ...target, cli: withPassphrase }, exists), purpose, io));
  // The guards of workspacectl replace the provider's own refusal of deletions under plain Pulumi.
  const variables: Record<string, string> = {
    ...connectionVariables(connection),
    [DELETE_VARIABLE]: "*",
    ...(program && options.engine ? { [ENGINE_VARIABLE]: options.engine } : {}),
  };
  const withConnection = { ...withPassphrase, env: { ...withPassphrase.env, ...variables } };
  if (action === "try")
    note(
      io,
      `${capitalized(missingText(target, await otherStacks()))}: the plan is that of a new, empty one.`,
    );
  else prepareProject(project, backend);
  const cli =
    action === "try"
      ? await tryStack({ ...target, cli: withConnection })
      : { ...withConnection, cwd: project.root, location: stackLocation };
  if (action === "ask" || action === "create") await createStack({ ...target, cli }, io);
  const named = { ...stackLocation, name, cli };
  if (action !== "try") await settleJournal(named, io);
  const stateEngine = !program && exists ? await refuseCodeInState(named) : undefined;
  const engine = options.engine ?? file.engine ?? stateEngine ?? "dynamic";
  if (stateEngine !== undefined && stateEngine !== engine) throw otherEngineError(name, stateEngine, engine);
  if (exists && !purpose.readOnly) await recoverStack({ ...named, connection }, io);
  const stackName = action === "try" ? stackLocation.stack : name;
  const stack = new EngineStack(
    stackName,
    cli,
    program
      ? undefined
      : fileProgram({
          file: options.file,
          project: project.name,
          engine,
          reading: reading(name),
          connection: variables["WORKSPACE_AUTOMATION_CONNECTION"],
        }),
    reads,
  );
  stack.notWatched = file.declared
    ? notWatchedIn(file.declared)
    : exists
      ? notWatchedInState(await deploymentOf(named))
      : [];
  const count = file.declared?.declarations.length;
  if (count !== undefined) expectOf(stack, { reading: count, comparing: count });
  const create = () =>
    openStack(
      { ...options, stack: name },
      { ...purpose, missing: "create", backendShown: true },
      io,
      once,
      reads,
    );
  return {
    stack,
    name,
    cli,
    connection,
    project,
    location: stackLocation,
    file,
    requestCounter,
    io,
    state: () => deploymentOf(named),
    otherStacks,
    ...(action === "try" ? { create } : {}),
  };
}

function readOptions({ overlay, allowPath, texts }: StackOptions, stack: string, io: Io): LoadOptions {
  return { env: io.env, stack, overlays: overlay, allowPaths: allowPath, texts };
}

async function connect(
  { connection: flag }: StackOptions,
  file: FileFacts,
  config: Readonly<Record<string, string>>,
  { readOnly }: Purpose,
  io: Io,
): Promise<WorkspaceConnection> {
  const connection = connectionFor({ flag, file, config, env: io.env, debug: debugLines(io) });
  await preflight(connection, readOnly ? new Set() : file.types, io);
  return connection;
}

/** Reads the connection settings in the stack's configuration, by key. */
async function configOf(target: StackTarget, exists: boolean): Promise<Record<string, string>> {
  const { name, project, cli } = target;
  const config = exists
    ? (JSON.parse(await runPulumi(cli, ["config", "--json", "--show-secrets", "--stack", name])) as Record<
        string,
        { value?: string }
      >)
    : await configOfNewStack(name, project, cli);
  const prefix = "workspace-automation:";
  const entries = Object.entries(config);
  return Object.fromEntries(
    entries
      .filter(([key, { value }]) => key.startsWith(prefix) && value !== undefined)
      .map(([key, { value }]) => [key.slice(prefix.length), value ?? ""]),
  );
}

function otherEngineError(stack: string, before: ProviderEngine, engine: ProviderEngine): CliError {
  return new CliError(
    `the state of stack ${stack} is for ${runners[before]}, but this run uses ${runners[engine]}: ` +
      `migrate it with "workspacectl stack migrate --to ${engine} --stack ${stack}", or use --engine ${before}`,
  );
}

const runners = { dynamic: "dynamic providers", plugin: "the packaged plugin" } as const;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
