import { join } from "node:path";
import { execa } from "execa";
import { ToolchainError } from "./errors.js";
import { executables, onPath, packageRoot } from "./locations.js";
import type { WorkContext } from "./types.js";
import {
  LANGUAGE_HOST_SDK_VERSION,
  MINIMUM_GO_VERSION,
  PULUMI_VERSION,
  isAtLeast,
  versionIn,
} from "./versions.js";

/** One program that is built from a pinned Go module of this package. */
interface Recipe {
  /** The folder under toolchain/ with go.mod and go.sum. */
  module: string;
  goPackage: string;
  version: string;
  output: string;
  what: string;
  /** How long it takes, for the progress line. */
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
export const buildCli = (root: string, context: WorkContext) => build(cli, root, context);

/** Builds the Node.js language host into `root`/bin. */
export const buildLanguageHost = (root: string, context: WorkContext) => build(languageHost, root, context);

async function build(recipe: Recipe, root: string, context: WorkContext): Promise<void> {
  const go = await findGo(context.env);
  const total = await countPackages(go, recipe, context);
  context.onProgress({
    kind: "step",
    way: "build",
    text: `building ${recipe.what} with Go, once; ${recipe.patience}`,
  });
  const linkerFlags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${recipe.version}`;
  const args = ["build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", linkerFlags];
  let done = 0;
  await runGo(
    go,
    [...args, "-o", join(root, "bin", recipe.output), recipe.goPackage],
    recipe,
    context,
    (line) => {
      // -v writes the name of each package it compiles, and a name has no blanks.
      if (!/^[^\s:#]+$/.test(line)) return false;
      done++;
      context.onProgress({ kind: "count", way: "build", text: `compiling ${recipe.what}`, done, total });
      return true;
    },
  );
}

/** The Go that would be used, and its version; undefined without any. */
export async function goOnPath(
  env: NodeJS.ProcessEnv,
): Promise<{ path: string; version: string } | undefined> {
  const path = onPath(process.platform === "win32" ? "go.exe" : "go", env);
  if (path === undefined) return undefined;
  const result = await execa(path, ["version"], { env, extendEnv: false, reject: false, timeout: 20_000 });
  const version = versionIn(result.stdout ?? "");
  return result.failed || version === undefined ? undefined : { path, version };
}

async function findGo(env: NodeJS.ProcessEnv): Promise<string> {
  const go = await goOnPath(env);
  if (go === undefined)
    throw new ToolchainError("program-failed", "there is no Go on PATH (https://go.dev/dl/)");
  if (!isAtLeast(go.version, MINIMUM_GO_VERSION)) {
    throw new ToolchainError(
      "program-failed",
      `${go.path} is Go ${go.version}, too old; 1.25 or later is needed`,
    );
  }
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

/** Runs Go in a recipe's module; `isProgress` says of each line of stderr whether it is one, else it may be an error. */
async function runGo(
  go: string,
  args: string[],
  recipe: Recipe,
  { env, signal }: WorkContext,
  isProgress: (line: string) => boolean,
): Promise<string> {
  const child = execa(go, args, {
    cwd: join(packageRoot(), "toolchain", recipe.module),
    env: goEnvironment(env),
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    buffer: { stdout: true, stderr: false },
    ...(signal && { cancelSignal: signal }),
  });
  const complaints: string[] = [];
  for await (const line of child.iterable({ from: "stderr" })) {
    if (!isProgress(line) && line.trim() !== "") complaints.push(line.trim());
  }
  const result = await child;
  if (result.isCanceled) throw new ToolchainError("cancelled", "Cancelled.");
  if (result.failed) {
    const said = complaints.slice(-3).join("; ") || (result.shortMessage ?? "");
    throw new ToolchainError(
      "program-failed",
      `\`go ${args[0]}\` of ${recipe.what} failed: ${said.slice(0, 400)}`,
    );
  }
  return result.stdout;
}

function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    // Only what go.sum vouches for; a workspace of the user's around us does not count.
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    // No C compiler needed, and a binary that does not depend on the machine's C library.
    CGO_ENABLED: env["CGO_ENABLED"] ?? "0",
  };
}
