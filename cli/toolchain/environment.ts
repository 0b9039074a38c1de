import { basename, delimiter, dirname, isAbsolute } from "node:path";
import { moduleLinks } from "./links.js";
import { onPath } from "./locations.js";
import type { PulumiToolchain } from "./types.js";

/** Returns the variables with which Pulumi finds its programs and this package from any working directory. */
export async function toolchainEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ PATH: string; NODE_PATH: string; PULUMI_SKIP_UPDATE_CHECK: string }> {
  const path = env["PATH"] ?? env["Path"];
  // The provider process is started as `node`: where that is not on PATH, the running one is added.
  const node = onPath(process.platform === "win32" ? "node.exe" : "node", env)
    ? undefined
    : dirname(process.execPath);
  return {
    PATH: joined(toolchain.binDir, path, node),
    NODE_PATH: joined(await moduleLinks(undefined, env), env["NODE_PATH"]),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/**
 * Returns the variables for work on a workspace file, which is data: Pulumi attaches to the provider of this process, loads no
 * other plugin and finds no program in the folders of the file. A program of the user's needs `toolchainEnvironment` instead.
 */
export function dataEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  return {
    PATH: joined(toolchain.binDir, trustedPath(env)),
    NODE_PATH: "",
    PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Windows searches the working directory first unless this is set.
    NoDefaultCurrentDirectoryInExePath: "1",
  };
}

/**
 * Returns PATH without the entries that lead into the folder of a project: relative ones, and `node_modules/.bin`, which `npx`
 * and `npm run` add for the working directory and all folders above it.
 */
export function trustedPath(env: NodeJS.ProcessEnv): string {
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  const isOfProject = (folder: string) =>
    basename(folder) === ".bin" && basename(dirname(folder)) === "node_modules";
  return folders.filter((folder) => isAbsolute(folder) && !isOfProject(folder)).join(delimiter);
}

/** Joins lists of folders without repetitions. */
function joined(...lists: (string | undefined)[]): string {
  const folders = lists.flatMap((list) => list?.split(delimiter) ?? []).filter((folder) => folder !== "");
  return [...new Set(folders)].join(delimiter);
}
