/** From a workspace file and flags to a Pulumi stack whose operations can be run. */
import { existsSync } from "node:fs";
import { hasOverlays, ReadOnce, type ReadOptions } from "../../../workspace-file/load/index.js";
import { DELETE_VARIABLE } from "../../../provider/index.js";
import { EngineStack } from "./engine-stack.js";
import { fileProgram } from "../host/file-program.js";
import { metered } from "../../policies/request-budget/request-counter.js";
import { note, type Io } from "../../terminal/io.js";
import { expectOf } from "../progress/expected.js";
import { debugLines } from "../../connection/api-client.js";
import { connectionFor, connectionVariables, type WorkspaceConnection } from "../../connection/connection.js";
import { readFile, readHead, type FileFacts } from "../../connection/file.js";
import { preflight } from "../../connection/preflight.js";
import {
  dataEnvironment,
  ensurePulumi,
  progressPrinter,
  toolchainEnvironment,
  trustedPath,
} from "../../toolchain/index.js";
import { noteOtherCopy, refuseCodeInState, refuseCodeOf } from "./code-check.js";
import { placeOf } from "./lock-owners.js";
import { stateFile } from "./lock-files.js";
import { removeCutOffFiles } from "./locks.js";
import { configOfNewStack } from "./new-config.js";
import {
  askToCreate,
  createStack,
  isThere,
  missingText,
  refusal,
  stackNames,
  temporaryProject,
  tryStack,
  type Sought,
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
  readonly stack: EngineStack;
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
  readonly project: Project;
  readonly file: FileFacts;
  /** The file in which requests are counted, and the world in which they are. */
  readonly meter: string;
  readonly io: Io;
  /** Makes the stack and opens it; absent when it is there. Until then the operations work on an empty state. */
  readonly make?: () => Promise<OpenStack>;
  /** Names of the project's other stacks. */
  readonly others: () => Promise<readonly string[]>;
}

export interface Purpose {
  /** The program runs, so the file has to be right. */
  readonly program: boolean;
  /** What becomes of a stack that is not there; an error unless it is said. */
  readonly missing?: WhenMissing | ((stack: string, project: Project) => WhenMissing);
  /** Where the state is kept has been said. */
  readonly told?: boolean;
  /** Something is kept that is encrypted with the passphrase, also of a stack that is not there yet. */
  readonly keeps?: boolean;
  /** Nothing is written, not even to the state: what a killed run left is not settled. What cannot be read is found out later. */
  readonly lookOnly?: boolean;
}

/**
 * Opens the stack of a workspace file. All that can be wrong with the file and the connection is found before Pulumi
 * starts, and before anything is written.
 */
export async function openStack(
  options: StackOptions,
  purpose: Purpose,
  world: Io,
  once: ReadOnce = new ReadOnce(),
): Promise<OpenStack> {
  const { io, file: meter } = metered(world);
  const program = options.program === undefined ? undefined : programIn(options.program);
  const project = program?.project ?? findProject(options.file);
  // What is judged here, what the engine's program declares and where findings are placed is one and the same text.
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
  if (backend.notice !== undefined && !purpose.told) note(io, backend.notice);
  const place = { backendUrl: backend.url, root: project.root, project: project.name };
  removeCutOffFiles(place);

  // Before it is clear that a stack is to be made, nothing is.
  const isPrepared = existsSync(project.root);
  if (isPrepared) prepareProject(project);
  const mayBeThere = !backend.isOwn || mayHaveStacks(project, io.env);
  const toolchain = await ensurePulumi({
    env: program ? io.env : { ...io.env, PATH: trustedPath(io.env) },
    onProgress: progressPrinter(io.stderr),
    languageHost: program ? "required" : "optional",
  });
  const base: PulumiCli = {
    command: toolchain.command,
    cwd: isPrepared ? project.root : temporaryProject(project),
    env: {
      ...given(io.env),
      ...(await (program ? toolchainEnvironment : dataEnvironment)(toolchain, io.env)),
      ...backend.env,
    },
  };
  const selected = options.stack === undefined && mayBeThere ? await selectedStack(project, base) : undefined;
  const name = options.stack ?? selected ?? DEFAULT_STACK;
  const file = before ?? read(name);
  if (!program && name !== expected) refuseCodeOf(project, name);
  const sought: Sought = { name, project, backend, cli: base };
  const stackPlace = { ...place, stack: name.split("/").at(-1) ?? name };
  // To ask the CLI takes a third of a second.
  const hasFile = !name.includes("/") && stateFile(stackPlace) !== undefined;
  const there = selected !== undefined || (mayBeThere && (hasFile || (await isThere(sought))));
  const others = async () => (mayBeThere ? (await stackNames(base)).filter((other) => other !== name) : []);
  const { missing = "refuse" } = purpose;
  const means = there ? undefined : typeof missing === "function" ? missing(name, project) : missing;
  if (means === "refuse") throw refusal(sought, await others());
  if (means === "ask") await askToCreate(sought, await others(), io);

  const hasSalt = stackSettings(project, name)["encryptionsalt"] !== undefined;
  const isKept = means !== "try" || purpose.keeps === true || hasSalt || hasPassphrase(io.env);
  const passphrase = isKept ? await passphraseVariables({ project, backend, stack: name }, io) : {};
  const withPassphrase = { ...base, env: { ...base.env, ...passphrase } };
  const connection =
    early ??
    (await connect(options, file, await configOf({ ...sought, cli: withPassphrase }, there), purpose, io));
  // The guards of workspacectl have judged what the provider would refuse under plain Pulumi.
  const variables: Record<string, string> = { ...connectionVariables(connection), [DELETE_VARIABLE]: "*" };
  const withConnection = { ...withPassphrase, env: { ...withPassphrase.env, ...variables } };
  if (means === "try")
    note(io, `${upper(missingText(sought, await others()))}: the plan is that of a new, empty one.`);
  else prepareProject(project, backend);
  const cli =
    means === "try"
      ? await tryStack({ ...sought, cli: withConnection })
      : { ...withConnection, cwd: project.root };
  if (means === "ask" || means === "create") await createStack({ ...sought, cli }, io);
  const named = { ...stackPlace, name, cli };
  if (!program && there) await refuseCodeInState(named);
  if (there && !purpose.lookOnly) await recoverStack({ ...named, connection }, io);
  const stackName = means === "try" ? stackPlace.stack : name;
  const stack = new EngineStack(
    stackName,
    cli,
    program
      ? undefined
      : fileProgram({
          file: options.file,
          project: project.name,
          reading: reading(name),
          connection: variables["WORKSPACE_AUTOMATION_CONNECTION"],
        }),
  );
  if (means !== "try") placeOf(stack, named);
  const count = file.declared?.declarations.length;
  if (count !== undefined) expectOf(stack, { reading: count, comparing: count });
  const make = () =>
    openStack({ ...options, stack: name }, { ...purpose, missing: "create", told: true }, io, once);
  return {
    stack,
    name,
    cli,
    connection,
    project,
    file,
    meter,
    io,
    others,
    ...(means === "try" ? { make } : {}),
  };
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
async function configOf(sought: Sought, there: boolean): Promise<Record<string, string>> {
  const { name, project, cli } = sought;
  const told = there
    ? (JSON.parse(await runPulumi(cli, ["config", "--json", "--show-secrets", "--stack", name])) as Record<
        string,
        { value?: string }
      >)
    : await configOfNewStack(name, project, cli);
  const prefix = "workspace-automation:";
  const entries = Object.entries(told);
  return Object.fromEntries(
    entries
      .filter(([key, { value }]) => key.startsWith(prefix) && value !== undefined)
      .map(([key, { value }]) => [key.slice(prefix.length), value ?? ""]),
  );
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
