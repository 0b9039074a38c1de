/** The environment in which Pulumi runs: one folder with its programs for PATH, the folders for NODE_PATH, and settings. */
import { copyFile, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { filterPath, findOnPath, refuseInCheckout } from "../trust/programs.js";
import {
  executables,
  findLibraryRoot,
  findPulumiSdk,
  getCacheRoot,
  hashShortly,
  listCacheFolders,
  PACKAGE_NAME,
  resolvePath,
} from "./locations.js";
import type { PulumiToolchain } from "./types.js";

/** Applies to every run of Pulumi. Spans of its older tracing (`--tracing`) would contain all values, the secrets among them. */
const everywhere = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_TRACING_NO_PAYLOADS: "true" };

/** Returns the variables with which Pulumi finds its programs and this package from any working directory. */
export async function buildToolchainEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ PATH: string; NODE_PATH: string } & typeof everywhere> {
  const path = env["PATH"] ?? env["Path"];
  // The provider process is started as `node`: where that is not on PATH, the running one is added.
  const node = findOnPath(process.platform === "win32" ? "node.exe" : "node", env)
    ? undefined
    : dirname(process.execPath);
  return {
    PATH: joinPaths(toolchain.binDir, path, node),
    NODE_PATH: joinPaths(await linkModules(undefined, env), env["NODE_PATH"]),
    ...everywhere,
  };
}

/**
 * Returns the variables for work on a workspace file, which is data: Pulumi attaches to the provider of this process, loads no
 * other plugin and finds no program in a checkout. A program of the user's needs `buildToolchainEnvironment` instead.
 */
export function buildDataEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv,
  checkouts: readonly string[],
): Record<string, string> {
  return {
    PATH: joinPaths(toolchain.binDir, filterPath(env, checkouts)),
    NODE_PATH: "",
    PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...everywhere,
    // Windows searches the working directory first unless this is set.
    NoDefaultCurrentDirectoryInExePath: "1",
  };
}

/**
 * Returns the variable for Pulumi's credential helper, a program from PATH that gives it the login of its service. A state elsewhere needs none,
 * and a helper that fails would end every command.
 * @throws {TrustError} when the helper is in a checkout
 */
export function buildHelperEnvironment(
  isOfService: boolean,
  { PULUMI_CREDENTIAL_HELPER: helper = "" }: NodeJS.ProcessEnv,
  checkouts: readonly string[],
): Record<string, string> {
  if (!isOfService) return { PULUMI_CREDENTIAL_HELPER: "none" };
  const remedy = "Install the helper outside of it, or set the variable to none.";
  if (/[/\\]/.test(helper)) refuseInCheckout("PULUMI_CREDENTIAL_HELPER", helper, checkouts, remedy);
  return {};
}

/** Joins lists of folders without repetitions. */
function joinPaths(...lists: (string | undefined)[]): string {
  const folders = lists.flatMap((list) => list?.split(delimiter) ?? []).filter((folder) => folder !== "");
  return [...new Set(folders)].join(delimiter);
}

/**
 * Returns a folder for NODE_PATH that contains links to the library, and to the @pulumi/pulumi next to it if there is one. Pulumi's
 * provider process resolves both from the user's working directory, which contains neither in a clone. Packages that are installed
 * there still take precedence, since Node.js searches NODE_PATH last.
 *
 * The folder is made once per location of the package. Several processes may make it at the same time.
 */
export async function linkModules(
  root: string = findLibraryRoot(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const own = await realpath(root);
  const modules = join(getCacheRoot(env), "links", hashShortly(own), "node_modules");
  await ensureLink(join(modules, PACKAGE_NAME), own);
  const [sdk, link] = [findPulumiSdk(own), join(modules, "@pulumi", "pulumi")];
  if (sdk === undefined) await rm(link, { force: true });
  else await ensureLink(link, await realpath(sdk));
  return modules;
}

/** Makes a link to a folder, and replaces one that leads elsewhere atomically. */
async function ensureLink(path: string, target: string): Promise<void> {
  if (await leadsTo(path, target)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  // A junction needs no rights on Windows. Other systems ignore the type.
  await symlink(target, temporary, "junction");
  try {
    await rename(temporary, path);
  } catch (error) {
    // Windows cannot rename over a junction.
    await rm(path, { recursive: true, force: true });
    await rename(temporary, path).catch(async () => {
      await rm(temporary, { force: true });
      if (!(await leadsTo(path, target))) throw error;
    });
  }
}

async function leadsTo(path: string, target: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === target;
}

/** Pulumi CLI and the programs that it runs with, in any folders. */
export interface Parts {
  command: string;
  languageHost: string | undefined;
  resourcePlugin: string | undefined;
}

/** `bin` folder that contains all parts. */
export interface Composed {
  root: string;
  binDir: string;
  command: string;
}

/**
 * Returns a folder for the first position on PATH, which contains the parts and nothing else. This is the folder of the CLI
 * itself where possible. A mixed one such as /usr/bin would hide the user's other programs, so a folder of links is made
 * instead. The engine follows them and finds that they lead next to its own binary.
 */
export async function composeToolchain(parts: Parts, env: NodeJS.ProcessEnv): Promise<Composed> {
  const own = dirname(parts.command);
  if (await holdsExactly(own, parts)) return { root: dirname(own), binDir: own, command: parts.command };
  const key = hashShortly(JSON.stringify([parts.command, parts.languageHost, parts.resourcePlugin]));
  const root = join(listCacheFolders(env).composed, key);
  const composed = { root, binDir: join(root, "bin"), command: join(root, "bin", executables.cli) };
  if (!(await isIntact(composed.binDir, parts))) await makeLinks(root, parts);
  return composed;
}

function listLinks(parts: Parts): [name: string, target: string][] {
  const all: [string, string | undefined][] = [
    [executables.cli, parts.command],
    [executables.resourcePlugin, parts.resourcePlugin],
    [executables.languageHost, parts.languageHost],
  ];
  return all.filter((link): link is [string, string] => link[1] !== undefined);
}

async function holdsExactly(folder: string, parts: Parts): Promise<boolean> {
  if (basename(folder) !== "bin") return false;
  if (!listLinks(parts).every(([, target]) => dirname(target) === folder)) return false;
  return (await readdir(folder)).every((name) => name.startsWith("pulumi"));
}

async function isIntact(binDir: string, parts: Parts): Promise<boolean> {
  const names = await readdir(binDir).catch(() => []);
  return (
    names.length === listLinks(parts).length &&
    listLinks(parts).every(([name, target]) => resolvePath(join(binDir, name)) === resolvePath(target))
  );
}

/** Makes the folder under a temporary name, so that no other process uses a partial one. */
async function makeLinks(root: string, parts: Parts): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const temporary = await mkdtemp(join(dirname(root), ".tmp-"));
  try {
    await mkdir(join(temporary, "bin"));
    for (const [name, target] of listLinks(parts)) await linkOrCopy(target, join(temporary, "bin", name));
    await rename(temporary, root).catch(async () => {
      if (await isIntact(join(root, "bin"), parts)) return;
      await rm(root, { recursive: true, force: true });
      await rename(temporary, root);
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Copies where Windows does not allow the user to make links to files. */
async function linkOrCopy(target: string, path: string): Promise<void> {
  await symlink(target, path, "file").catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPERM") throw error;
    await copyFile(target, path);
  });
}
