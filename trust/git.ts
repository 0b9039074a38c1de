/** Starts Git on the clone around a folder. It finds no repository of its own, and runs no program that settings name. */
// cspell:ignore commondir
import { readFileSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findCheckouts, isAtOrBelow, isRepository, resolveRealPath, splitPath } from "./checkout.js";
import { createChildEnvironment } from "./child-environment.js";
import { TrustError } from "./errors.js";
import { listSettingsOff } from "./git-settings.js";
import { startProgram } from "./start-program.js";

export interface GitResult {
  readonly ok: boolean;
  readonly text: string;
  /** Why it has failed. */
  readonly problem: string;
}

export interface GitClone {
  /** Its folder, as a real path. */
  readonly root: string;
  /** Runs a command of Git in that folder. */
  readonly run: (...args: string[]) => Promise<GitResult>;
}

/** Nothing outside of the repository names settings, and nothing is fetched. */
const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
};

/**
 * Opens the clone around a folder.
 * @throws {TrustError} when there is none, or a repository made of ordinary files lies in between; and without Git
 */
export async function openClone(folder: string, env: NodeJS.ProcessEnv): Promise<GitClone> {
  const { root, gitFolder } = findClone(folder);
  const place = {
    cwd: root,
    env: {
      ...createChildEnvironment("local", env, findCheckouts(process.cwd(), root)),
      ...ENVIRONMENT,
      GIT_DIR: gitFolder,
      GIT_WORK_TREE: root,
    },
  };
  const start = async (settings: readonly (readonly [string, string])[], args: readonly string[]) => {
    const words = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const options = { stripFinalNewline: false, stdin: "ignore" } as const;
    const ended = await startProgram("git", [...words, ...args], place, options);
    const { exitCode, stdout, stderr, message = "" } = ended;
    return { ok: exitCode === 0, text: stdout, problem: stderr.trim() || message };
  };
  const own = await start(listSettingsOff([]), ["config", "--list", "--name-only", "-z"]);
  if (!own.ok) throw createSettingsError(root, own.problem);
  const settings = listSettingsOff(own.text.split("\0").filter((name) => name !== ""));
  // Git takes what is before the first equals sign for the name, so such a setting could not be switched off.
  const strange = settings.find(([name]) => /[=\n]/.test(name));
  if (strange !== undefined)
    throw createSettingsError(
      root,
      `${JSON.stringify(strange[0])} names a program and cannot be switched off`,
    );
  return { root, run: (...args) => start([...settings, ["core.quotePath", "false"]], args) };
}

function createSettingsError(root: string, problem: string): TrustError {
  return new TrustError(
    "program",
    `Git cannot be used in ${root}, because its settings (.git/config) are not accepted: ${problem}`,
    "correct them, or use a fresh clone",
  );
}

/** Finds the nearest folder with a `.git`, and where that is. */
function findClone(folder: string): { readonly root: string; readonly gitFolder: string } {
  const start = resolveRealPath(folder);
  for (let at = start; ; at = dirname(at)) {
    if (isRepository(at)) return { root: at, gitFolder: findGitFolder(at) };
    if (isBareRepository(at))
      throw new TrustError(
        "program",
        `${at} contains HEAD, objects and refs, so Git would take it for a bare repository and run programs that its settings name. Anyone could have committed these files, so Git was not started`,
        "If they are part of the checkout, remove them with a commit; if this is a bare repository of yours, run the command in a clone of it (git clone)",
      );
    if (at === dirname(at))
      throw new TrustError(
        "path",
        `${start} is not in a clone of a Git repository`,
        "run the command in a clone of a Git repository",
      );
  }
}

/** Whether Git would take a folder for a repository without a working tree. */
function isBareRepository(folder: string): boolean {
  const hasFolder = (name: string) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const hasFile = (name: string) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true;
  return hasFile("HEAD") && ((hasFolder("objects") && hasFolder("refs")) || hasFile("commondir"));
}

/** In submodules and work trees, `.git` is a file that names the folder. Git stores nothing named `.git`, so a change adds neither. */
function findGitFolder(root: string): string {
  const path = join(root, ".git");
  const named = statSync(path).isDirectory() ? path : readNamedFolder(path);
  const real = resolveRealPath(named);
  // In a submodule, and wherever somebody has put such a file, the folder may be in the clone around it.
  const [around = root] = findCheckouts(root);
  if (!isAtOrBelow(around, real) || splitPath(real.slice(around.length)).includes(".git")) return real;
  throw new TrustError(
    "program",
    `${path} leads to ${real}, which consists of ordinary files of the checkout, so that a commit could set what Git runs; Git was not started`,
    "run the command in a clone whose .git is a folder (git clone)",
  );
}

function readNamedFolder(path: string): string {
  const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8").slice(0, 4096)) ?? [];
  if (named !== undefined) return resolve(dirname(path), named.trimEnd());
  throw new TrustError(
    "path",
    `${path} does not say in which folder the repository is (gitdir: FOLDER)`,
    "run the command in another clone (git clone)",
  );
}
