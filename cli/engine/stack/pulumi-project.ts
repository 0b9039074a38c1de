/** Runs Pulumi's own commands on the project of a workspace file, with the backend, passphrase and toolchain that `up` uses. */
import { execa } from "execa";
import { CliError } from "../../errors.js";
import { printText, warn, type Io } from "../../terminal/io.js";
import { escapedJson } from "../../terminal/safe-text.js";
import {
  dataEnvironment,
  ensurePulumi,
  progressPrinter,
  toolchainEnvironment,
  trustedPath,
} from "../../toolchain/index.js";
import type { StackLocation } from "./lock-files.js";
import { passphraseVariables } from "./passphrase.js";
import {
  findBackend,
  findProject,
  prepareProject,
  type Backend,
  type PulumiProjectFolder,
} from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

/** The stack that is used when none is named or selected. */
export const DEFAULT_STACK = "dev";

export interface PulumiProject {
  readonly cli: PulumiCli;
  readonly project: PulumiProjectFolder;
  /** Address of the state. */
  readonly backend: string;
  /** The stack that was named or selected, else {@link DEFAULT_STACK}. */
  readonly stack: string;
  readonly location: StackLocation;
}

export interface ProjectOptions {
  readonly file: string;
  readonly stack?: string;
}

/**
 * Opens the project of a workspace file for Pulumi's own commands, without reading the file or contacting the service.
 * @param needs.secrets the command needs the passphrase of the state
 * @param needs.code the command may run a program
 */
export async function openPulumi(
  options: ProjectOptions,
  { secrets, code = false }: { readonly secrets: boolean; readonly code?: boolean },
  io: Io,
): Promise<PulumiProject> {
  const project = findProject(options.file);
  const backend = findBackend(project, io.env);
  prepareProject(project, backend);
  const base = await pulumiCli(project.root, backend, { code, languageHost: "optional" }, io);
  const stack = options.stack ?? (await selectedStack(project, base)) ?? DEFAULT_STACK;
  const passphrase = secrets ? await passphraseVariables({ project, backend, stack }, io) : {};
  const location = {
    ...{ backendUrl: backend.url, root: project.root, project: project.name },
    stack: stack.split("/").at(-1) ?? stack,
  };
  const cli = { ...base, env: { ...base.env, ...passphrase }, location };
  return { cli, project, backend: backend.url, stack, location };
}

/**
 * Finds or installs Pulumi, and prepares its environment.
 * @param needs.code a program may run, so it finds its packages and tools as under plain Pulumi
 */
export async function pulumiCli(
  cwd: string,
  backend: Backend,
  needs: { readonly code: boolean; readonly languageHost: "required" | "optional" },
  io: Io,
): Promise<PulumiCli> {
  const { code, languageHost } = needs;
  const toolchain = await ensurePulumi({
    env: code ? io.env : { ...io.env, PATH: trustedPath(io.env) },
    onProgress: progressPrinter(io.stderr),
    languageHost,
  });
  const added = await (code ? toolchainEnvironment : dataEnvironment)(toolchain, io.env);
  return { command: toolchain.command, cwd, env: { ...withoutUndefined(io.env), ...added, ...backend.env } };
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Reads which stack `workspacectl stack select` chose. A project without a Pulumi.yaml has no selection. */
export async function selectedStack(
  { own }: PulumiProjectFolder,
  cli: PulumiCli,
): Promise<string | undefined> {
  if (own) return undefined;
  return runPulumi(cli, ["stack", "--show-name"]).then(
    (name) => name.trim() || undefined,
    () => undefined,
  );
}

/**
 * Runs a Pulumi command on the user's terminal, if there is one, and prints its output.
 * @param input replaces standard input
 * @returns its exit code
 */
export async function passToPulumi(
  { command, cwd, env }: PulumiCli,
  args: readonly string[],
  io: Io,
  input?: string,
): Promise<number> {
  const own = io.stdout === process.stdout;
  const { exitCode, failed, stdout, stderr } = await execa(command, args, {
    cwd,
    env,
    reject: false,
    stdout: own ? "inherit" : "pipe",
    stderr: own ? "inherit" : "pipe",
    ...(input === undefined ? { stdin: own ? "inherit" : "ignore" } : { input }),
  });
  if (stdout) printText(io, `${stdout}\n`);
  if (stderr) warn(io, stderr);
  if (failed && exitCode === undefined) throw new CliError(`Pulumi at ${command} could not be run`);
  return exitCode ?? 1;
}

/** Runs a Pulumi command without prompts, and prints its result. @throws {PulumiError} */
export async function printPulumi(
  cli: PulumiCli,
  args: readonly string[],
  io: Io,
  input?: string,
): Promise<void> {
  const text = await runPulumi(cli, args, input);
  if (text.trim() !== "")
    printText(io, `${args.includes("--json") ? escapedJson(text.trimEnd()) : text.trimEnd()}\n`);
}
