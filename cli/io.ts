/** The world outside of a command, so that tests can put in their own. */
import type { Readable, Writable } from "node:stream";
import pc from "picocolors";

type Colors = ReturnType<typeof pc.createColors>;

/** A stream to write to; a terminal says so. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Io {
  /** Results. */
  readonly stdout: Output;
  /** Everything else: progress, notes, errors. */
  readonly stderr: Output;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody is there to answer questions. */
  readonly interactive: boolean;
  readonly colors: Colors;
  /** Only results and problems are wanted: neither progress nor notes. */
  readonly quiet?: boolean;
  /** Opens an address in a browser; the user's own unless a test brings another. */
  readonly browse?: (url: string) => Promise<void>;
}

/** The terminal, pipe or file this process was started with. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    interactive: stdin.isTTY && stderr.isTTY,
    colors: pc.createColors(wantsColors(stdout, env)),
  };
}

function wantsColors(stdout: Output, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  return Boolean(env["FORCE_COLOR"]) || (stdout.isTTY === true && env["TERM"] !== "dumb");
}

/** A line for people, beside the result. */
export function note(io: Io, line: string): void {
  io.stderr.write(`${line}\n`);
}

/** A line of the result. */
export function print(io: Io, line = ""): void {
  io.stdout.write(`${line}\n`);
}
