/** Pulumi's own commands on the project of a workspace file: with the backend, passphrase and toolchain that `up` has. */
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
import { passphraseVariables } from "./passphrase.js";
import { findBackend, findProject, prepareProject, type Project } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

/** The stack that is used when none is named and none is selected. */
export const DEFAULT_STACK = "dev";

export interface PulumiProject {
  readonly cli: PulumiCli;
  readonly project: Project;
  /** Where the state is kept. */
  readonly backend: string;
  /** The stack that is named, selected or usual. */
  readonly stack: string;
}

export interface ProjectOptions {
  readonly file: string;
  readonly stack?: string;
}

/**
 * The project of a workspace file and how to run Pulumi on it. Neither reads the file nor talks to the service.
 * @param needs.secrets whether what is run needs the passphrase of the state
 * @param needs.code whether it may be a program, which finds its packages and tools as under plain Pulumi
 */
export async function openPulumi(
  options: ProjectOptions,
  { secrets, code = false }: { readonly secrets: boolean; readonly code?: boolean },
  io: Io,
): Promise<PulumiProject> {
  const project = findProject(options.file);
  const backend = findBackend(project, io.env);
  prepareProject(project, backend);
  const toolchain = await ensurePulumi({
    env: code ? io.env : { ...io.env, PATH: trustedPath(io.env) },
    onProgress: progressPrinter(io.stderr),
    languageHost: "optional",
  });
  const base: PulumiCli = {
    command: toolchain.command,
    cwd: project.root,
    env: {
      ...given(io.env),
      ...(await (code ? toolchainEnvironment : dataEnvironment)(toolchain, io.env)),
      ...backend.env,
    },
  };
  const stack = options.stack ?? (await selectedStack(project, base)) ?? DEFAULT_STACK;
  const passphrase = secrets ? await passphraseVariables({ project, backend, stack }, io) : {};
  return { cli: { ...base, env: { ...base.env, ...passphrase } }, project, backend: backend.url, stack };
}

/** The variables that have a value. */
export function given(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** The stack that `workspacectl stack select` chose, if there is one; a project of our own has none. */
export async function selectedStack({ own }: Project, cli: PulumiCli): Promise<string | undefined> {
  if (own) return undefined;
  return runPulumi(cli, ["stack", "--show-name"]).then(
    (name) => name.trim() || undefined,
    () => undefined,
  );
}

/**
 * Runs a command of Pulumi's with the terminal, if there is one, and shows what it prints.
 * @param input what the command reads instead
 * @returns its exit code
 */
export async function passOn(
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

/** Runs a command of Pulumi's without questions, and shows its result. @throws {PulumiError} */
export async function shown(cli: PulumiCli, args: readonly string[], io: Io, input?: string): Promise<void> {
  const text = await runPulumi(cli, args, input);
  if (text.trim() !== "")
    printText(io, `${args.includes("--json") ? escapedJson(text.trimEnd()) : text.trimEnd()}\n`);
}
