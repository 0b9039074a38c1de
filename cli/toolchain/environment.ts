/** Environment variables with which Pulumi finds its programs and this package. */
import { delimiter, dirname, join } from "node:path";
import { filterPath } from "../../trust/programs.js";
import {
  onPath,
  PACKAGE_NAME,
  getCacheRoot,
  findLibraryRoot,
  findPulumiSdk,
  hashShortly,
} from "./locations.js";
import type { PulumiToolchain } from "./types.js";
import { mkdir, realpath, rename, rm, symlink } from "node:fs/promises";

/** Applies to every run of Pulumi. Spans of its older tracing (`--tracing`) would contain all values, the secrets among them. */
const everywhere = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_TRACING_NO_PAYLOADS: "true" };

/** Returns the variables with which Pulumi finds its programs and this package from any working directory. */
export async function buildToolchainEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ PATH: string; NODE_PATH: string } & typeof everywhere> {
  const path = env["PATH"] ?? env["Path"];
  // The provider process is started as `node`: where that is not on PATH, the running one is added.
  const node = onPath(process.platform === "win32" ? "node.exe" : "node", env)
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
