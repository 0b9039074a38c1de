/** Opens the Pulumi stack of a workspace file for the engine's operations. */
import {
  DELETE_VARIABLE,
  ENGINE_VARIABLE,
  openRequestCounter,
  type ProviderEngine,
  SharedReadCache,
} from "../../provider/index.js";
import { type LoadOptions, ReadOnce } from "../../workspace-file/load/load.js";
import { debugLines } from "../connection/api-client.js";
import {
  chooseConnection,
  listConnectionVariables,
  type WorkspaceConnection,
} from "../connection/connection.js";
import { type FileFacts, readFile, readHead, toLoadOptions } from "../connection/file-facts.js";
import { checkAdministrator, checkConnection, readInAdvance } from "../connection/preflight.js";
import { AutomationError } from "../errors.js";
import { saveMemory } from "../host/engine-port.js";
import { createFileProgram, createStateProgram } from "../host/file-program.js";
import type { StackWords } from "../next-command.js";
import { note, type Port } from "../port.js";
import { findBackend } from "./backend.js";
import { EngineStack } from "./engine-stack.js";
import { findStack, type FoundStack, type StackSource } from "./find-stack.js";
import { listFormerNames } from "./former-names.js";
import { formatOverwriting, formatOwner, waitForRun } from "./locks.js";
import {
  askToCreate,
  createLostStateError,
  createMissingStackError,
  type CreateOption,
  createStack,
  findLostState,
  formatMissingStack,
  readConfigOfNewStack,
  stackNames,
  type StackTarget,
  tryStack,
  type WhenMissing,
} from "./missing-stack.js";
import { hasPassphrase, providePassphrase } from "./passphrase.js";
import {
  findProject,
  findSecretConfig,
  getStateFolder,
  hasNoSettings,
  makePrivate,
  mayConfigure,
  type PulumiProjectFolder,
  readConfiguredKeys,
  stackSettings,
} from "./project.js";
import { createLockedError, formatLocked, type PulumiCli, readConfig } from "./pulumi.js";
import { openDataCli } from "./pulumi-project.js";
import { isUnsettled, recoverStack } from "./recovery.js";
import { countRequests } from "./run-operations.js";
import { chooseStack } from "./stack-choice.js";
import { type Deployment, listNotWatchedIn, listNotWatchedInState, type StackLocation } from "./state.js";
import { readDeployment, refuseCodeInState } from "./state-check.js";
import { identifyState, type StateVersion } from "./state-version.js";
import { findProgramIn } from "./user-program.js";

/** Options of all commands that work on a stack. */
export interface StackOptions extends CreateOption, Omit<StackWords, "only"> {
  /** Texts that replace the content of files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Do not run the program: the objects are those in the state, whatever the language of the program. */
  readonly fromState?: boolean;
  /** Engine of the file's resources. Default: the one of the file, or else of the state. */
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
  readonly io: Port;
  /** Creates the stack and opens it; absent when it exists. Until then, operations run on an empty temporary state. */
  readonly create?: () => Promise<OpenStack>;
  /** Whether the command changes objects or the state. */
  readonly changes: boolean;
  /** The options that named it. */
  readonly named: StackWords;
  /** Identifies the state with which it was opened. */
  readonly versionAtStart: () => StateVersion;
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
  /** The command changes objects. */
  readonly changes?: boolean;
  /** The command stores values encrypted with the passphrase even when the stack does not exist yet. */
  readonly needsPassphrase?: boolean;
  /** The operation reads all objects of the file, so their lists are read in advance and show whether the connection works. */
  readonly readsAll?: boolean;
}

/**
 * Opens the stack of a workspace file. Finds every problem of the file and the connection before Pulumi starts and before
 * anything is written.
 */
export async function openStack(
  options: StackOptions,
  purpose: Purpose,
  world: Port,
  once: ReadOnce = new ReadOnce(),
): Promise<OpenStack> {
  const { io, file: requestCounter } = countRequests(world);
  const reads = new SharedReadCache(openRequestCounter(io.env)?.listed);
  const source = await openSource(options, purpose, io, once);
  const { program, project, choice, file } = source;
  const { name } = choice;
  const connectWith = (config: Readonly<Record<string, string>>) =>
    connect(options, file, config, purpose.readsAll === true ? reads : undefined, io);
  const early = mayConfigure(project, name) ? undefined : connectWith({});
  const found = await findStack(source, early?.checked, io);
  const { exists } = found;
  const action = exists ? undefined : await chooseAction(found, options, purpose, io);
  const target = { ...found.target, cli: await withPassphrase(found, action, purpose, io) };
  const { connection, checked } = early ?? connectWith(await readConfigOf(target, exists));
  // The guards of workspacectl replace the provider's own refusal of deletions under plain Pulumi.
  const variables: Record<string, string> = {
    ...(program ? listConnectionVariables(connection) : {}),
    [DELETE_VARIABLE]: "*",
    ...(program && options.engine ? { [ENGINE_VARIABLE]: options.engine } : {}),
  };
  const cli = { ...target.cli, env: { ...target.cli.env, ...variables } };
  const whole = { ...found, target: { ...target, cli } };
  const connected = { source, found: whole, connection, checked };
  return openFound({ options, purpose, io, requestCounter, reads, ...connected }, action);
}

/** A stack of which everything is known that can be without its state. */
interface Opening {
  readonly options: StackOptions;
  readonly purpose: Purpose;
  readonly io: Port;
  readonly requestCounter: string;
  readonly reads: SharedReadCache;
  readonly source: Awaited<ReturnType<typeof openSource>>;
  readonly found: FoundStack;
  readonly connection: WorkspaceConnection;
  /** Settles when the connection has been checked. */
  readonly checked: Promise<void>;
}

/**
 * @param action what to do about a stack that does not exist
 * @param runsNext an update follows
 */
async function openFound(
  opening: Opening,
  action: WhenMissing | undefined,
  runsNext = false,
): Promise<OpenStack> {
  const { options, purpose, io, requestCounter, reads, source, found, connection, checked } = opening;
  const { program, project, file, reading } = source;
  const { name } = source.choice;
  const { exists, location, otherStacks } = found;
  if (action !== undefined) await checked;
  const cli = await prepare(found, action, { ...options, runsNext }, io);
  const named = { ...location, name, cli };
  const { fromState } = source;
  const inState =
    !program && exists ? await refuseCodeInState(named, source.backend.isOutside, fromState) : undefined;
  const engine = options.engine ?? file.engine ?? inState ?? "dynamic";
  if (inState !== undefined && inState !== engine) throw createOtherEngineError(name, inState, engine);
  const count = file.declared?.declarations.length;
  const ofFile = { file: options.file, project: project.name, engine, reading, connection };
  const stack = new EngineStack(
    action === "try" ? location.stack : name,
    cli,
    program ? undefined : fromState ? createStateProgram(ofFile) : createFileProgram(ofFile),
    reads,
    count === undefined ? cli.env : { ...cli.env, ...saveMemory(count, io.env) },
  );
  stack.ready = checked;
  stack.isConfigured = readConfiguredKeys(project, name)?.size !== 0;
  if (action === "try" && !program && hasNoSettings(project, name))
    stack.unmade = { project: project.name, stack: location.stack };
  stack.explainDenied = () => checkAdministrator(connection, file.types, reads, io);
  stack.onOverwriting = () => note(io, formatOverwriting(location));
  // A killed run may have left its journal next to a state that was lost since.
  if (exists || (action !== "try" && (await isUnsettled(location, cli)))) {
    if (purpose.changes) {
      const held = await waitForRun(location, cli.env, io);
      if (held !== undefined) throw createLockedError(formatLocked(formatOwner(held.lock)));
    }
    const refresh = (target: readonly string[]) => stack.run({ command: "refresh", target });
    const used = await recoverStack({ ...named, connection, checked, refresh, options }, io);
    // The state does not yet show what that run creates, so it would be planned again.
    if (used !== undefined && purpose.changes) throw createLockedError(used);
    if (used !== undefined) note(io, `The state of stack ${name} is incomplete, because ${used}.`);
  }
  const deployment = exists ? await readDeployment(named) : {};
  stack.formerNames = listFormerNames(deployment);
  stack.notWatched = file.declared ? listNotWatchedIn(file.declared) : listNotWatchedInState(deployment);
  if (count !== undefined) stack.expect({ reading: count, comparing: count });
  const create = () => openFound(opening, "create", true);
  return {
    stack,
    name,
    cli,
    connection,
    project,
    location,
    file,
    requestCounter,
    io,
    named: options,
    otherStacks,
    versionAtStart: () => identifyState(deployment),
    state: () => readDeployment(named),
    changes: purpose.changes === true,
    ...(action === "try" ? { create } : {}),
  };
}

async function openSource(
  options: StackOptions,
  purpose: Purpose,
  io: Port,
  once: ReadOnce,
): Promise<StackSource & { readonly reading: LoadOptions }> {
  const { fromState = false } = options;
  const found = options.program === undefined ? undefined : findProgramIn(options.program, !fromState);
  const program = fromState ? undefined : found;
  const project = found?.project ?? findProject(options.file);
  const backend = findBackend(project, io.env);
  const list = async () => stackNames(await openDataCli(project, backend, io));
  const choice = await chooseStack(options, { project, backend, list }, io);
  const { name } = choice;
  // Validation, the engine's program and the locations of findings all use the same text of each file.
  const reading = {
    ...toLoadOptions(options, name, io),
    once,
    secretConfig: findSecretConfig(project, name),
  };
  const file = found?.facts ?? (purpose.program ? readFile : readHead)(options.file, reading);
  return { program, fromState, project, backend, choice, file, reading };
}

/** Decides what to do about a stack that does not exist. @throws {AutomationError} when it must not be created */
async function chooseAction(
  { target, otherStacks }: FoundStack,
  options: StackOptions,
  { missing = "refuse" }: Purpose,
  io: Port,
): Promise<WhenMissing> {
  const action = typeof missing === "function" ? missing(target.name, target.project) : missing;
  if (action === "refuse") throw await createMissingStackError(target, await otherStacks(), options);
  const lost = options.createStack || options.program !== undefined ? undefined : await findLostState(target);
  if (lost !== undefined) throw createLostStateError(target, lost, options);
  if (action === "ask") await askToCreate(target, await otherStacks(), io);
  return action;
}

async function withPassphrase(
  { target: { name, project, backend, cli } }: FoundStack,
  action: WhenMissing | undefined,
  { needsPassphrase }: Purpose,
  io: Port,
): Promise<PulumiCli> {
  const hasSalt = stackSettings(project, name).encryptionsalt !== undefined;
  const isNeeded = action !== "try" || needsPassphrase === true || hasSalt || hasPassphrase(io.env);
  const passphrase = isNeeded ? await providePassphrase({ project, backend, stack: name }, io) : {};
  return { ...cli, env: { ...cli.env, ...passphrase } };
}

/** Makes the folder of the state and a missing stack: the real one, or a temporary one for a trial. */
async function prepare(
  { target, location, otherStacks }: FoundStack,
  action: WhenMissing | undefined,
  { createStack: isAsked, runsNext }: CreateOption & { readonly runsNext: boolean },
  io: Port,
): Promise<PulumiCli> {
  if (action === "try") {
    if (isAsked === undefined) {
      const missing = capitalize(formatMissingStack(target, await otherStacks()));
      note(io, `${missing}: the plan is for a new, empty stack, which \`up --create-stack\` creates.`);
    }
    return tryStack(target);
  }
  if (target.backend.isOwn) makePrivate(getStateFolder(target.project));
  const cli = { ...target.cli, location };
  if (action !== undefined) await createStack({ ...target, cli }, io, runsNext);
  return cli;
}

/** Finds the connection, and begins to check it. @param reads the reads of an operation that reads all objects of the file */
function connect(
  { connection: flag, program }: StackOptions,
  file: FileFacts,
  config: Readonly<Record<string, string>>,
  reads: SharedReadCache | undefined,
  io: Port,
): { readonly connection: WorkspaceConnection; readonly checked: Promise<void> } {
  const isProgram = program !== undefined;
  const connection = chooseConnection({ flag, file, config, isProgram, env: io.env, debug: debugLines(io) });
  const checked = reads ? readInAdvance(connection, file.types, reads, io) : checkConnection(connection, io);
  // Another problem may end the command before somebody waits for it.
  checked.catch(() => undefined);
  return { connection, checked };
}

/** Reads the connection settings in the stack's configuration, by key. */
async function readConfigOf(
  { name, project, cli }: StackTarget,
  exists: boolean,
): Promise<Record<string, string>> {
  const config = exists ? await readConfig(cli, name) : await readConfigOfNewStack(name, project, cli);
  const prefix = "workspace-automation:";
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

function createOtherEngineError(
  stack: string,
  before: ProviderEngine,
  engine: ProviderEngine,
): AutomationError {
  return new AutomationError(
    `the state of stack ${stack} is for ${runners[before]}, but this run uses ${runners[engine]}`,
    `migrate it with "workspacectl stack migrate --to ${engine} --stack ${stack}", or use --engine ${before}`,
  );
}

const runners = { dynamic: "dynamic providers", plugin: "the packaged plugin" } as const;

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
