/** Opens the Pulumi stack of a workspace file for the engine's operations, in four steps: locate, find, connect, and recover. */
import { openRequestCounter, type ProviderEngine, SharedReadCache } from "../../provider/index.js";
import { ReadOnce } from "../../workspace-file/load/load.js";
import type { WorkspaceConnection } from "../connection/connection.js";
import type { FileFacts } from "../connection/file-facts.js";
import { checkAdministrator } from "../connection/preflight.js";
import { AutomationError } from "../errors.js";
import { saveMemory } from "../host/engine-port.js";
import { createFileProgram, createStateProgram } from "../host/file-program.js";
import type { StackWords } from "../next-command.js";
import { note, type Port } from "../port.js";
import { connectEarly, type ConnectedStack, connectStack } from "./connect-stack.js";
import { EngineStack } from "./engine-stack.js";
import { findStack, type FoundStack } from "./find-stack.js";
import { listFormerNames } from "./former-names.js";
import { locateStack, type Opening, type Purpose, type StackOptions } from "./locate-stack.js";
import { formatOverwriting, formatOwner, waitForRun } from "./locks.js";
import {
  type CreateOption,
  createStack,
  formatMissingStack,
  formatWayBack,
  tryStack,
  type WhenMissing,
} from "./missing-stack.js";
import {
  getStateFolder,
  hasNoSettings,
  makePrivate,
  type PulumiProjectFolder,
  readConfiguredKeys,
} from "./project.js";
import { createLockedError, formatLocked, type PulumiCli } from "./pulumi.js";
import { isUnsettled, recoverStack } from "./recovery.js";
import { countRequests } from "./run-operations.js";
import {
  type Deployment,
  findOutputsOfStack,
  listNotWatchedIn,
  listNotWatchedInState,
  type StackLocation,
} from "./state.js";
import { readDeployment, refuseCodeInState } from "./state-check.js";
import { identifyState, type StateVersion } from "./state-version.js";

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
  const opening = { options, purpose, io, requestCounter, reads };
  const located = await locateStack(opening, once);
  const early = connectEarly(located, opening);
  const found = await findStack(located, early?.checked, opening);
  const connected = await connectStack(located, found, early, opening);
  return openConnected(connected, opening, found.action);
}

/**
 * @param action what to do about a stack that does not exist
 * @param runsNext an update follows
 */
async function openConnected(
  connected: ConnectedStack,
  opening: Opening,
  action: WhenMissing | undefined,
  runsNext = false,
): Promise<OpenStack> {
  const { options, purpose, io, requestCounter, reads } = opening;
  const { located, found, connection, checked } = connected;
  const { program, fromState, project, backend, file, reading } = located;
  const { name } = located.choice;
  const { exists, location, otherStacks } = found;
  if (action !== undefined) await checked;
  const cli = await prepare(found, action, { ...options, runsNext }, io);
  const named = { ...location, name, cli };
  const inState =
    !program && exists ? await refuseCodeInState(named, backend.isOutside, fromState) : undefined;
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
  stack.outputsInState = findOutputsOfStack(deployment);
  stack.notWatched = file.declared ? listNotWatchedIn(file.declared) : listNotWatchedInState(deployment);
  if (count !== undefined) stack.expect({ reading: count, comparing: count });
  const create = () => openConnected(connected, opening, "create", true);
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
      const other = formatWayBack(target).replace(/; or $/, "");
      const back = other === "" ? "" : ` To use that state, ${other}.`;
      note(io, `${missing}: the plan is for a new, empty stack, which \`up --create-stack\` creates.${back}`);
    }
    return tryStack(target);
  }
  if (target.backend.isOwn) makePrivate(getStateFolder(target.project));
  const cli = { ...target.cli, location };
  if (action !== undefined) await createStack({ ...target, cli }, io, runsNext);
  return cli;
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
