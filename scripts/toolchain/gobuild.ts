/** Builds Pulumi and its language hosts from pinned Go modules. */
import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { createCancellation, createProgramError } from "../../toolchain/errors.js";
import { executables, findPulumiSdk } from "../../toolchain/locations.js";
import type { ChildContext, WorkContext } from "../../toolchain/types.js";
import { findVersionIn, isAtLeast, PULUMI_VERSION } from "../../toolchain/versions.js";
import { createChildEnvironment } from "../../trust/child-environment.js";
import { findOnPath } from "../../trust/programs.js";

/** SDK release whose Node.js language host is built: the last one that contains the host as a Go module. */
const LANGUAGE_HOST_SDK_VERSION = "3.68.0";

/** First Go that downloads the version that go.mod requires. */
const MINIMUM_GO_VERSION = "1.21.0";

/** Program that is built from a pinned Go module. */
export interface Recipe {
  /** Folder with go.mod and go.sum, relative to this one. */
  module: string;
  goPackage: string;
  version: string;
  output: string;
  what: string;
  /** Duration, for the progress line. */
  patience: string;
}

const cli: Recipe = {
  module: "pulumi-cli",
  goPackage: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  version: PULUMI_VERSION,
  output: executables.cli,
  what: `the Pulumi CLI ${PULUMI_VERSION}`,
  patience: "this takes some minutes",
};

const languageHost: Recipe = {
  module: "language-nodejs",
  goPackage: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  version: LANGUAGE_HOST_SDK_VERSION,
  output: executables.languageHost,
  what: "the Node.js language host",
  patience: "this takes some seconds",
};

/** Builds the CLI into `root`/bin. */
export const buildCli = (root: string, context: WorkContext) => buildProgram(cli, root, context);

/**
 * Builds the CLI and the Node.js language host into `root`/bin, and adds the script that runs dynamic providers: the engine warns about
 * one from elsewhere on PATH. Returns what the sources are checked against.
 *
 * @param other where another release of the CLI is pinned
 */
export async function buildPulumi(
  root: string,
  context: WorkContext,
  other: Partial<Recipe> = {},
): Promise<string> {
  // One links while the other compiles.
  await Promise.all([
    buildProgram({ ...cli, ...other }, root, context),
    buildProgram(languageHost, root, context),
  ]);
  const script = join(findPulumiSdk(import.meta.dirname) ?? "", executables.resourcePlugin);
  await copyFile(script, join(root, "bin", executables.resourcePlugin));
  return "go.sum in scripts/toolchain";
}

/** Builds a program into `root`/bin. */
export async function buildProgram(recipe: Recipe, root: string, context: WorkContext): Promise<void> {
  const go = await findGo(context);
  const total = await countPackages(go, recipe, context);
  const text = `building ${recipe.what} with Go, once; ${recipe.patience}`;
  context.onProgress({ kind: "step", way: "build", text });
  const linkerFlags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${recipe.version}`;
  const flags = ["-v", "-trimpath", "-buildvcs=false", "-ldflags", linkerFlags];
  const args = ["build", ...flags, "-o", join(root, "bin", recipe.output), recipe.goPackage];
  let done = 0;
  await runGo(go, args, recipe, context, (line) => {
    // -v writes the name of each package it compiles, and a name has no blanks.
    if (!/^[^\s:#]+$/.test(line)) return false;
    done++;
    context.onProgress({ kind: "count", way: "build", text: `compiling ${recipe.what}`, done, total });
    return true;
  });
}

/** Returns the Go on PATH and its version. */
export async function findGoOnPath(
  context: ChildContext,
): Promise<{ path: string; version: string } | undefined> {
  const env = buildGoEnvironment(context);
  const path = findOnPath(process.platform === "win32" ? "go.exe" : "go", env);
  if (path === undefined) return undefined;
  const result = await execa(path, ["version"], { env, extendEnv: false, reject: false, timeout: 20_000 });
  const version = findVersionIn(result.stdout ?? "");
  return result.failed || version === undefined ? undefined : { path, version };
}

async function findGo(context: ChildContext): Promise<string> {
  const go = await findGoOnPath(context);
  if (go === undefined) throw createProgramError("there is no Go on PATH (https://go.dev/dl/)");
  if (!isAtLeast(go.version, MINIMUM_GO_VERSION))
    throw createProgramError(`${go.path} is Go ${go.version}, too old; 1.25 or later is required`);
  return go.path;
}

/** Fetches the modules and counts the packages that may have to be compiled. */
async function countPackages(go: string, recipe: Recipe, context: WorkContext): Promise<number> {
  const text = `fetching the Go modules of ${recipe.what}`;
  context.onProgress({ kind: "step", way: "build", text });
  let done = 0;
  const output = await runGo(go, ["list", "-deps", recipe.goPackage], recipe, context, (line) => {
    if (!line.startsWith("go: downloading ")) return false;
    context.onProgress({ kind: "count", way: "build", text, done: ++done });
    return true;
  });
  return output.split("\n").length;
}

/** Runs Go in a recipe's module. `isProgress` tells lines of progress on stderr from errors. */
async function runGo(
  go: string,
  args: string[],
  recipe: Recipe,
  context: WorkContext,
  isProgress: (line: string) => boolean,
): Promise<string> {
  const child = execa(go, args, {
    cwd: resolve(import.meta.dirname, recipe.module),
    env: buildGoEnvironment(context),
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    buffer: { stdout: true, stderr: false },
    ...(context.signal && { cancelSignal: context.signal }),
  });
  const errors: string[] = [];
  for await (const line of child.iterable({ from: "stderr" })) {
    if (!isProgress(line) && line.trim() !== "") errors.push(line.trim());
  }
  const result = await child;
  if (result.isCanceled) throw createCancellation();
  if (result.failed) {
    const message = errors.slice(-3).join("; ") || (result.shortMessage ?? "");
    throw createProgramError(`\`go ${args[0]}\` of ${recipe.what} failed: ${message.slice(0, 400)}`);
  }
  return result.stdout;
}

/** Variables that say where Go gets modules from, and where it keeps them. */
const FOR_GO = /^(GO[A-Z]+|https?_proxy|no_proxy|SSL_CERT_\w+|XDG_(CACHE|CONFIG)_HOME)$/i;

function buildGoEnvironment({ env, checkouts }: ChildContext): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => FOR_GO.test(name))),
    ...createChildEnvironment("local", env, checkouts),
    // Allows only what go.sum lists, and ignores a Go workspace of the user's in a folder above.
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    // Needs no C compiler, and makes a binary that does not depend on the machine's C library.
    CGO_ENABLED: "0",
  };
}
