/** Where the package, the library, the cache and the programs of the toolchain are. */
import { type BigIntStats, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import envPaths from "env-paths";
import { hashSha256 } from "../diff/digest.js";
import { ToolchainError } from "./errors.js";
import { PULUMI_VERSION } from "./versions.js";

/** Name of the library. */
export const PACKAGE_NAME = "pulumi-workspace-automation";

const windows = process.platform === "win32";

/**
 * Names of the files of a toolchain on this platform. The resource plugin runs dynamic providers of programs. It is a script that
 * resolves @pulumi/pulumi from the working directory.
 */
export const executables = {
  cli: windows ? "pulumi.exe" : "pulumi",
  languageHost: windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs",
  resourcePlugin: windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs",
} as const;

/** The programs that the release in the cache must contain. */
export const CACHED_PROGRAMS = [executables.cli, executables.languageHost];

/** Returns the folder of `workspacectl`, which is the repository in a clone: both contain examples, toolchain and dist/bin. */
export function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (folder !== dirname(folder)) {
    if (readPackageName(folder) !== undefined) return folder;
    folder = dirname(folder);
  }
  throw new ToolchainError(
    "package-incomplete",
    `${fileURLToPath(import.meta.url)} is not in an installed package`,
    "install workspacectl again",
  );
}

function readPackageName(folder: string): unknown {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { name?: unknown }).name;
}

/** Returns the file that Node.js runs as `workspacectl`. */
export function getCommandFile(): string {
  return join(findPackageRoot(), "dist", "bin", "workspacectl.js");
}

/** Returns the folder of the library that `workspacectl` was installed with. */
export function findLibraryRoot(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE_NAME}/package.json`));
  } catch (error) {
    throw new ToolchainError(
      "package-incomplete",
      `${PACKAGE_NAME} is not installed next to workspacectl`,
      "install the packages of one release together (in a clone, run `npm ci`)",
      { cause: error },
    );
  }
}

/** Returns the folder of the @pulumi/pulumi that a folder uses. Only programs need it, so it need not be installed. */
export function findPulumiSdk(root: string): string | undefined {
  try {
    return dirname(createRequire(join(root, "package.json")).resolve("@pulumi/pulumi/package.json"));
  } catch {
    return undefined;
  }
}

/** Returns the user's folder for downloads, builds and links. */
export function getCacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const override = env["WORKSPACECTL_CACHE"];
  return override ? resolve(override) : envPaths("workspacectl", { suffix: "" }).cache;
}

/** Key of machines that can share a binary. */
export const platformKey = `${process.platform}-${process.arch}`;

/** Name of the cache entry with the pinned CLI. */
export const CLI_ENTRY = `pulumi-${PULUMI_VERSION}-${platformKey}`;

/** Returns the folders of the cache, which are on one file system so that entries can be published atomically. */
export function listCacheFolders(env: NodeJS.ProcessEnv = process.env) {
  const base = join(getCacheRoot(env), "toolchain");
  return {
    base,
    cli: join(base, CLI_ENTRY),
    composed: join(base, "composed"),
  };
}

/** Returns a short, stable name for a text that is too long for the name of a folder. */
export function hashShortly(text: string): string {
  return hashSha256(text).slice(0, 16);
}

/** Changes whenever a file does. The system sets the change time, which programs cannot. */
export function describeFileState({ size, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [size, ino, mtimeNs, ctimeNs].join(" ");
}

/** Follows every symbolic link of a path, where possible. */
export function resolvePath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

export function readVersion(): string {
  const text = readFileSync(`${findPackageRoot()}/package.json`, "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
