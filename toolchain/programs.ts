/** Finds the programs of Pulumi that a user has installed, refuses those in a checkout, and runs them to learn whether they work. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createChildEnvironment } from "../trust/child-environment.js";
import { findOnPath, isExecutable, refuseInCheckout, refuseInRepository } from "../trust/programs.js";
import { startProgram } from "../trust/start-program.js";
import { digestFile } from "./digests.js";
import { createProgramError, formatErrorLine } from "./errors.js";
import {
  describeFileState,
  executables,
  findLibraryRoot,
  findPulumiSdk,
  getCacheRoot,
  listCacheFolders,
  resolvePath,
} from "./locations.js";
import type { ChildContext } from "./types.js";
import { findVersionIn } from "./versions.js";

/** File that may be a Pulumi CLI. */
export interface PulumiCandidate {
  way: "PULUMI_BIN" | "PATH";
  /** Path of the file, if there is one. */
  command?: string;
  /** Why there is none. */
  reason?: string;
  /** Whether the absence is normal. A PULUMI_BIN that does not exist is a mistake. */
  absent?: boolean;
}

/** Returns the CLIs of the user's own, in order of preference. */
export function listPulumiCandidates(env: NodeJS.ProcessEnv): PulumiCandidate[] {
  return [fromVariable(env["PULUMI_BIN"]), fromPath(env)];
}

function fromVariable(value: string | undefined): PulumiCandidate {
  const way = "PULUMI_BIN";
  if (!value) return { way, reason: "not set", absent: true };
  const path = resolve(value);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { way, reason: `${path} does not exist` };
  const command = stats.isDirectory() ? join(path, executables.cli) : path;
  return isExecutable(command)
    ? { way, command }
    : { way, reason: `${command} does not exist or is not executable` };
}

function fromPath(env: NodeJS.ProcessEnv): PulumiCandidate {
  const command = findOnPath("pulumi", env);
  return command ? { way: "PATH", command } : { way: "PATH", reason: "no pulumi on PATH", absent: true };
}

/** Finds a companion program of a CLI: next to it, next to the target of its link, or on PATH. */
export function findCompanion(name: string, command: string, env: NodeJS.ProcessEnv): string | undefined {
  const beside = [dirname(command), dirname(resolvePath(command))].map((folder) => join(folder, name));
  return beside.find(isExecutable) ?? findOnPath(name, env);
}

/**
 * Finds the program that runs dynamic providers: next to the CLI, as Pulumi's release contains it, or else in the @pulumi/pulumi of the
 * user's program or next to this package. Work on workspace files does not need it.
 */
export function findResourcePlugin(
  command: string,
  env: NodeJS.ProcessEnv,
  program?: string,
): string | undefined {
  const name = executables.resourcePlugin;
  const findInSdk = (folder: string | undefined) => {
    const file = join((folder && findPulumiSdk(folder)) ?? "", name);
    return isExecutable(file) ? file : undefined;
  };
  return findCompanion(name, command, env) ?? findInSdk(program) ?? findInSdk(findLibraryRoot());
}

/** @throws {TrustError} when the environment keeps any of it in a checkout */
export function refuseUntrusted(env: NodeJS.ProcessEnv, checkouts: readonly string[]): void {
  const refuse = (what: string, path: string, remedy: string) =>
    refuseInRepository(what, path, checkouts, remedy);
  refuse(
    "The cache of programs",
    getCacheRoot(env),
    "Set WORKSPACECTL_CACHE to a folder outside of it, or XDG_CACHE_HOME. In GitLab CI, this is a folder outside of CI_PROJECT_DIR; " +
      "docs/install.md says how to keep it between jobs.",
  );
  refuse("The list of digests", digestFile(env), "Set WORKSPACECTL_DIGESTS to a file outside of it.");
  const named = env["PULUMI_BIN"];
  if (named)
    refuseInCheckout("PULUMI_BIN", named, checkouts, "Install Pulumi outside of it, or unset PULUMI_BIN.");
  for (const path of listCloudSettings(env).filter((one) => existsSync(one)))
    refuse(
      "The file of cloud settings",
      path,
      "Keep them outside of it, because they can name programs to run.",
    );
}

/** Settings with which Pulumi logs in to a bucket or a key service. */
function listCloudSettings(env: NodeJS.ProcessEnv): string[] {
  const home = (...steps: string[]) => join(homedir(), ...steps);
  return [
    env["AWS_CONFIG_FILE"] || home(".aws", "config"),
    env["AWS_SHARED_CREDENTIALS_FILE"] || home(".aws", "credentials"),
    env["AZURE_CONFIG_DIR"] || home(".azure"),
  ];
}

/** Time that is enough for a cold start on a busy machine. */
const PROBE_MS = 20_000;

const PROBE = { timeout: PROBE_MS, stdin: "ignore", all: true } as const;

/** In its own folder, because a launcher would let the working directory choose what it starts. */
function startProbe(command: string, args: readonly string[], { env, checkouts }: ChildContext) {
  const own = createChildEnvironment("pulumi", env, checkouts);
  const place = { cwd: dirname(command), env: { ...own, PULUMI_SKIP_UPDATE_CHECK: "true" } };
  return startProgram(command, args, place, PROBE);
}

/** Runs `pulumi version` and returns the version. */
export async function readPulumiVersion(command: string, context: ChildContext): Promise<string> {
  const result = await startProbe(command, ["version"], context);
  const version = /^v?\d+\.\d+\.\d+/.test(result.stdout ?? "") ? findVersionIn(result.stdout) : undefined;
  if (result.failed || version === undefined) {
    const output = result.stderr || result.stdout || (result.failed ? result.shortMessage : "nothing");
    const message = formatErrorLine(output).slice(0, 200);
    const why = `\`${command} version\` is not that of Pulumi: ${message}`;
    if (isNamedPulumi(command)) throw createProgramError(why);
    const target = resolvePath(command);
    throw createProgramError(
      `${why} (it starts ${target}, which chooses a Pulumi: set PULUMI_BIN to the file of Pulumi itself, as \`mise which pulumi\` prints it)`,
    );
  }
  return version;
}

/** Starts a language host as the engine does, and waits for the port that it prints. */
export async function checkLanguageHost(command: string, context: ChildContext): Promise<void> {
  const host = startProbe(command, [], context);
  let announced = false;
  host.stdout.on("data", (data: Buffer) => {
    announced ||= /^\d+\s/.test(data.toString());
    if (announced) host.kill();
  });
  const result = await host;
  if (announced) return;
  const message = formatErrorLine(result.all || result.shortMessage || "nothing").slice(0, 200);
  throw createProgramError(`${command} does not start: ${message}`);
}

/** A smaller file is a launcher, which may start another version tomorrow. */
const LEAST_BYTES = 10_000_000n;

/** Whether a link, if it is one, leads to a file of Pulumi's name. A program of another name, such as mise behind its shims, is a launcher too. */
function isNamedPulumi(command: string): boolean {
  return basename(resolvePath(command)) === basename(executables.cli);
}

/** @param ask asks the CLI, unless its file is the one that was asked last */
export async function readKnownVersion(
  command: string,
  env: NodeJS.ProcessEnv,
  ask: () => Promise<string>,
): Promise<string> {
  const path = resolvePath(command);
  const stats = statSync(path, { bigint: true });
  if (stats.size < LEAST_BYTES || !isNamedPulumi(command)) return ask();
  const state = `${path} ${describeFileState(stats)}`;
  const file = join(listCacheFolders(env).base, "asked-version.json");
  const last = readLast(file);
  if (last.state === state && typeof last.version === "string") return last.version;
  const version = await ask();
  try {
    await mkdir(dirname(file), { recursive: true });
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(file, JSON.stringify({ state, version }), { mode: 0o600 });
  } catch {
    // The next command asks again.
  }
  return version;
}

function readLast(file: string): { readonly state?: unknown; readonly version?: unknown } {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as object | null) ?? {};
  } catch {
    return {};
  }
}
