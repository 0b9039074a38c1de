/** Starts every other program, in a named folder and with a named environment: nothing is inherited, and nothing is found in the folder itself. */
import type { ChildProcess } from "node:child_process";
import { isAbsolute } from "node:path";
import { execa, type Options, type ResultPromise } from "execa";
import { TrustError } from "./errors.js";
import { findOnPath } from "./programs.js";

export type BrowserProcess = ChildProcess;

/** Where a program runs, and what it gets. */
export interface ProgramPlace {
  readonly cwd: string;
  /** All of its environment. Its PATH is where a program without a path is looked for. */
  readonly env: NodeJS.ProcessEnv;
}

/** The same for every program. A failure is a result. */
const ALWAYS = { extendEnv: false, reject: false, preferLocal: false } as const;

type OwnOptions = Omit<Options, "cwd" | "env" | "shell" | keyof typeof ALWAYS>;

/**
 * Starts a program in a process group of its own: a signal to the whole group of this process, as a terminal and some runners of CI send it, does not
 * reach it. Whoever starts it forwards what it should get. Windows has no such groups.
 */
export const OWN_GROUP = { detached: process.platform !== "win32" } as const;

/**
 * Starts a program.
 * @param command an absolute path, or a name that is looked for in the absolute folders of PATH
 * @throws {TrustError} when there is no such program
 */
export function startProgram<const Own extends OwnOptions>(
  command: string,
  args: readonly string[],
  { cwd, env }: ProgramPlace,
  options: Own,
): ResultPromise<Own & typeof ALWAYS> {
  return execa(findProgram(command, env), args, {
    ...options,
    ...ALWAYS,
    cwd,
    env,
  }) as unknown as ResultPromise<Own & typeof ALWAYS>;
}

/** Runs a command line that the caller has written, such as that of a gate, in a shell of the system. */
export function startShell<const Own extends OwnOptions>(
  line: string,
  { cwd, env }: ProgramPlace,
  options: Own,
): ResultPromise<Own & typeof ALWAYS> {
  return execa(line, { ...options, ...ALWAYS, shell: true, cwd, env }) as unknown as ResultPromise<
    Own & typeof ALWAYS
  >;
}

/**
 * Shows an address in the user's browser.
 * @param path folders in which the program that opens it is looked for
 * @returns the process of that program
 */
export async function openInBrowser(url: string, path: string): Promise<BrowserProcess> {
  const { default: open } = await import("open");
  // The opener starts programs by their names. It takes the environment of this process.
  const before = process.env["PATH"];
  process.env["PATH"] = path;
  try {
    const child = await open(url);
    child.on("error", () => undefined);
    return child;
  } finally {
    process.env["PATH"] = before;
  }
}

/** A system would look for a name in the working directory, too, when PATH is empty. */
function findProgram(command: string, env: NodeJS.ProcessEnv): string {
  const found = isAbsolute(command) ? command : findOnPath(command, env);
  if (found !== undefined) return found;
  throw new TrustError(
    "program",
    `the program ${command} was not found in a folder of PATH outside of the checkout`,
    "install it, or add its folder to PATH. A program in the checkout is not run, because a commit could change it",
  );
}
