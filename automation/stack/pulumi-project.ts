/** Runs Pulumi's own commands on the project of a workspace file, with the backend, passphrase and toolchain that `up` uses. */
import {
  buildDataEnvironment,
  buildHelperEnvironment,
  buildToolchainEnvironment,
  type EnsureOptions,
  ensurePulumi,
} from "../../toolchain/index.js";
import { createFolderAddress } from "../../trust/backend.js";
import { findCheckouts } from "../../trust/checkout.js";
import type { StateAddress } from "../../trust/state-address.js";
import { getShortName } from "../../workspace-file/load/files.js";
import type { StackWords } from "../next-command.js";
import type { Port } from "../port.js";
import { type Backend, findBackend, getPulumiHome } from "./backend.js";
import { stackNames, type StackTarget } from "./missing-stack.js";
import { providePassphrase } from "./passphrase.js";
import { PrivateFolder } from "./private-folder.js";
import { findProject, getStateFolder, makePrivate, type PulumiProjectFolder } from "./project.js";
import { type PulumiCli } from "./pulumi.js";
import { chooseStack } from "./stack-choice.js";
import type { StackLocation } from "./state.js";
import { mendState } from "./state-journal.js";

export interface PulumiProject {
  readonly cli: PulumiCli;
  readonly project: PulumiProjectFolder;
  /** Address of the state. */
  readonly backend: StateAddress;
  /** The stack that was named or chosen (stack-choice.ts). */
  readonly stack: string;
  /** The stack as `createStack` needs it. */
  readonly target: StackTarget;
  readonly location: StackLocation;
}

export type ProjectOptions = Pick<StackWords, "file" | "stack">;

/**
 * Opens the project of a workspace file for Pulumi's own commands, without reading the file or contacting the service.
 * @param needs.secrets the command needs the passphrase of the state
 * @param needs.passed the command is the user's own, so it may concern all stacks, and uses the user's Pulumi home
 */
export async function openPulumi(
  options: ProjectOptions,
  { secrets, passed = false }: { readonly secrets: boolean; readonly passed?: boolean },
  io: Port,
): Promise<PulumiProject> {
  const project = findProject(options.file);
  const backend = findBackend(project, io.env);
  const base = await openDataCli(project, backend, io);
  const list = () => stackNames(base);
  const choice = await chooseStack(options, { project, backend, list }, io);
  const { name: stack } = choice;
  if (backend.isOwn) makePrivate(getStateFolder(project));
  if (passed) base.folder.writeAllStacks();
  else base.folder.writeStack(stack);
  const passphrase = secrets ? await providePassphrase({ project, backend, stack }, io) : {};
  const location = { backendUrl: backend.url, project: project.name, stack: getShortName(stack) };
  await mendState(location, io.env, io);
  const home = passed ? { PULUMI_HOME: getPulumiHome(io.env) } : {};
  const cli = { ...base, env: { ...base.env, ...home, ...passphrase }, location };
  const target = { ...choice, project, backend, cli };
  return { cli, project, backend: backend.url, stack, target, location };
}

/** Prepares `pulumi login`, which names a place of states itself: that of the checkout, which is refused before a login, does not count. */
export async function openLoginCli({ file }: Pick<StackWords, "file">, io: Port): Promise<PulumiCli> {
  const project = findProject(file);
  const url = createFolderAddress(getStateFolder(project));
  const cli = await openDataCli(project, { url, notice: undefined, isOwn: true, isOutside: false }, io);
  const { PULUMI_BACKEND_URL: _, ...env } = cli.env;
  const chosen = io.env["PULUMI_BACKEND_URL"];
  const backend = chosen === undefined ? {} : { PULUMI_BACKEND_URL: chosen };
  return { ...cli, env: { ...env, ...backend, PULUMI_HOME: getPulumiHome(io.env) } };
}

/** Finds or installs Pulumi, and prepares the private folder and the environment in which it works for a workspace file. */
export async function openDataCli(
  project: PulumiProjectFolder,
  backend: Backend,
  io: Port,
): Promise<PulumiCli & { readonly folder: PrivateFolder }> {
  const checkouts = findCheckouts(process.cwd(), project.checkout);
  const toolchain = await find(checkouts, { languageHost: "optional" }, io);
  const folder = new PrivateFolder(project, io.env);
  const added = {
    ...buildDataEnvironment(toolchain, io.env, checkouts),
    ...buildHelperEnvironment(backend.url.isOfService, io.env, checkouts),
    ...folder.variables(backend),
  };
  return {
    command: toolchain.command,
    cwd: folder.path,
    env: { ...withoutUndefined(io.env), ...added },
    folder,
  };
}

/** Finds or installs Pulumi before several processes need it, so that a failure is reported once. */
export async function preparePulumi(io: Port): Promise<void> {
  await find(findCheckouts(process.cwd()), { languageHost: "optional" }, io);
}

/** Finds or installs Pulumi for a program of the user, which finds its packages and tools as under plain Pulumi. */
export async function openProgramCli(cwd: string, backend: Backend, io: Port): Promise<PulumiCli> {
  // The program is code of its checkout anyway.
  const toolchain = await find([], { languageHost: "required", program: cwd }, io);
  const added = await buildToolchainEnvironment(toolchain, io.env);
  const env = { ...withoutUndefined(io.env), ...added, PULUMI_BACKEND_URL: backend.url.whole };
  return { command: toolchain.command, cwd, env };
}

async function find(checkouts: readonly string[], needs: EnsureOptions, io: Port) {
  return ensurePulumi({ env: io.env, checkouts, onProgress: await io.followInstallation(), ...needs });
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
