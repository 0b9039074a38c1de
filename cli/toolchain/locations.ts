import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import envPaths from "env-paths";
import { ToolchainError } from "./errors.js";
import { LANGUAGE_HOST_SDK_VERSION, PULUMI_VERSION } from "./versions.js";

/** The name of the library. */
export const PACKAGE_NAME = "pulumi-workspace-automation";

const windows = process.platform === "win32";

/** The files of a toolchain, as they are called on this platform. */
export const executables = {
  cli: windows ? "pulumi.exe" : "pulumi",
  languageHost: windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs",
  resourcePlugin: windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs",
} as const;

/** The folder of `workspacectl`, which is the whole repository in a clone: examples, toolchain and dist/bin lie in both. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (folder !== dirname(folder)) {
    if (nameOfPackageIn(folder) !== undefined) return folder;
    folder = dirname(folder);
  }
  throw new ToolchainError(
    "package-incomplete",
    `${fileURLToPath(import.meta.url)} lies in no package; install workspacectl again.`,
  );
}

function nameOfPackageIn(folder: string): unknown {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { name?: unknown }).name;
}

/** The file that Node.js runs as `workspacectl`. */
export function commandFile(): string {
  return join(packageRoot(), "dist", "bin", "workspacectl.js");
}

/** The folder of the library that `workspacectl` was installed with. */
export function libraryRoot(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${PACKAGE_NAME}/package.json`));
  } catch (error) {
    throw new ToolchainError(
      "package-incomplete",
      `${PACKAGE_NAME} is not installed beside workspacectl; install the packages of one release together (in a clone, run \`npm ci\`).`,
      { cause: error },
    );
  }
}

/** The folder of the @pulumi/pulumi that a package uses. */
export function pulumiSdkRoot(root: string): string {
  const resolver = createRequire(join(root, "package.json"));
  try {
    return dirname(resolver.resolve("@pulumi/pulumi/package.json"));
  } catch (error) {
    throw new ToolchainError(
      "package-incomplete",
      `@pulumi/pulumi is not installed for ${root}; run \`npm install\` there.`,
      {
        cause: error,
      },
    );
  }
}

/** Where downloads, builds and links are kept, for this user and outside of any clone. */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const override = env["WORKSPACECTL_CACHE"];
  return override ? resolve(override) : envPaths("workspacectl", { suffix: "" }).cache;
}

/** What distinguishes machines that cannot share a binary. */
export const platformKey = `${process.platform}-${process.arch}`;

/** The folders of the cache; all lie on one file system, so that finished work can be moved into place at once. */
export function cacheFolders(env: NodeJS.ProcessEnv = process.env) {
  const base = join(cacheRoot(env), "toolchain");
  return {
    base,
    cli: join(base, `pulumi-${PULUMI_VERSION}-${platformKey}`),
    languageHost: join(base, `language-nodejs-${LANGUAGE_HOST_SDK_VERSION}-${platformKey}`),
    composed: join(base, "composed"),
  };
}

/** A short, stable name for a text that is too long for a folder's name. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Whether a file is there and may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, windows ? constants.F_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The first file of this name on PATH. */
export function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = env["PATH"] ?? env["Path"] ?? "";
  const names = windows && !/\.\w+$/.test(name) ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => names.map((candidate) => resolve(folder, candidate)))
    .find(isExecutable);
}

/** A path with every symbolic link followed, or the path itself where that is not possible. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
