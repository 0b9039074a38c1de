/** Runs the built `workspacectl` and the real Pulumi in separate folders against an emulator in the test process. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { digestFile } from "../../toolchain/digests.js";
import { buildToolchainEnvironment, ensurePulumi } from "../../toolchain/index.js";
import { getCacheRoot } from "../../toolchain/locations.js";

export const repository = resolve(import.meta.dirname, "../..");
export const bin = join(repository, "dist/bin/workspacectl.js");

export interface Ended {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates a folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-e2e-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts an emulator that is closed after the tests of the file. */
export async function emulatorForTests(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  afterAll(() => emulator.close());
  return emulator;
}

/** Lets a process with another home use the Pulumi CLI that was installed before. */
export function installedPulumi(): NodeJS.ProcessEnv {
  return { WORKSPACECTL_CACHE: getCacheRoot(), WORKSPACECTL_DIGESTS: digestFile(process.env) };
}

/** Hides the user's own Pulumi settings, credentials and connection. */
export function isolated(folder: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(PULUMI_(?!BIN$)|WORKSPACE_(AUTOMATION|VAR)_|NODE_OPTIONS$|VITEST|FORCE_COLOR$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_CONFIG_PASSPHRASE: "passphrase of the tests",
    WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
    WORKSPACE_VAR_DEPLOY_TOKEN: "deploy-token-in-clear",
    WORKSPACE_VAR_SERVER_PASSWORD: "server-password-in-clear",
    ...more,
  };
}

export function connected({ baseUrl, token }: Pick<Emulator, "baseUrl" | "token">): NodeJS.ProcessEnv {
  return { WORKSPACE_AUTOMATION_BASE_URL: baseUrl, WORKSPACE_AUTOMATION_TOKEN: token };
}

/** Starts `workspacectl` as a user does. */
export function start(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return execa(process.execPath, [bin, ...argv], {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    stdin: "ignore",
  });
}

export async function workspacectl(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const { exitCode: code, stdout, stderr } = await start(argv, cwd, env);
  return { code, stdout, stderr };
}

/** Runs the real `pulumi` as a user does who has it on PATH. */
export async function pulumi(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const { running } = await startPulumi(argv, cwd, env);
  const { exitCode: code, stdout, stderr } = await running;
  return { code, stdout, stderr };
}

/** Returns the process in an object, because a caller that awaits the process itself waits for its end. */
export async function startPulumi(argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const toolchain = await ensurePulumi();
  const running = execa(toolchain.command, [...argv, "--non-interactive"], {
    cwd,
    env: { ...env, ...(await buildToolchainEnvironment(toolchain, env)) },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    encoding: "utf8",
  });
  return { running };
}

/** Copies the quick start example. */
export function quickstart(into: string): string {
  cpSync(join(repository, "examples/quickstart"), into, { recursive: true });
  return join(into, "workspace.yaml");
}

/** Copies this repository as a Pulumi project without its sources, so that no test writes to the real one. */
export function clone(into: string): void {
  mkdirSync(into, { recursive: true });
  for (const part of ["Pulumi.yaml", "package.json", "dist"])
    cpSync(join(repository, part), join(into, part), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(into, "node_modules"), "dir");
}

export interface Setup {
  readonly folder: string;
  /** The workspace file in the folder. */
  readonly file: string;
  readonly emulator: Emulator;
  /** The environment with the connection to the emulator. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs `workspacectl` on the file in its folder. */
  readonly run: (...argv: string[]) => Promise<Ended>;
  /** Reads from the workspace at a path such as `/groups`. */
  readonly get: <T>(path: string) => Promise<T>;
  /** Changes the workspace by hand. */
  readonly edit: (method: Method, path: string, body?: unknown) => Promise<void>;
}

type Method = "POST" | "PATCH" | "DELETE";

/** Starts an emulator, and creates a folder with a workspace file: the text, or the quick start example. */
export async function setUp(
  text?: string,
  options: EmulatorOptions = {},
  more: NodeJS.ProcessEnv = {},
): Promise<Setup> {
  const folder = temporaryFolder();
  const emulator = await emulatorForTests(options);
  const env = isolated(folder, { ...connected(emulator), ...more });
  const file = text === undefined ? quickstart(folder) : join(folder, "workspace.yaml");
  if (text !== undefined) writeFileSync(file, text);
  const run = (...argv: string[]) => workspacectl([...argv, "-f", file], folder, env);
  return {
    ...{ folder, file, emulator, env, run },
    get: async <T>(path: string) => (await call(emulator, "GET", path)) as T,
    edit: async (method, path, body) => void (await call(emulator, method, path, body)),
  };
}

async function call(emulator: Emulator, method: Method | "GET", path: string, body?: unknown) {
  const response = await emulator.edit({ method, path: `/workspaces/${emulator.workspace}${path}`, body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(response)}`);
  return response.body;
}

/** Changes an object of a list by hand, such as the group QA of `groups`. Without a name, the list gets a new object. */
export async function editByHand(
  emulator: Emulator,
  [method, list, name]: readonly [method: Method, list: string, name?: string | undefined],
  body?: unknown,
): Promise<void> {
  if (name === undefined) return void (await call(emulator, method, `/${list}`, body));
  const lists = Object.values((await call(emulator, "GET", `/${list}`)) as Record<string, unknown>);
  const items = lists.find(Array.isArray) as { id: number; name?: string; key?: string }[];
  const item = items.find((one) => (one.name ?? one.key) === name);
  if (item === undefined) throw new Error(`there is no ${name} in ${list}`);
  await call(emulator, method, `/${list}/${item.id}`, body);
}

export function stateIn(folder: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, "state"), { recursive: true });
  return { PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href };
}

/** Removes the progress lines that appear on a slow machine. */
export function withoutProgress(text: string): string {
  return `\n${text}`
    .replaceAll(/\n((Reading|Comparing|Applying): [^\n]*|Starting \.\.\.[^\n]*)(?=\n|$)/g, "")
    .slice(1);
}
