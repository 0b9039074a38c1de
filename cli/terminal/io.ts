/** The world outside of a command, so that tests can put in their own. */
import { Writable, type Readable } from "node:stream";
import pc from "picocolors";
import { isCi, oneLine, printed } from "./safe-text.js";

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
  /** Where results go although standard output is silent. */
  readonly results?: Output;
  /** Opens an address in a browser; the user's own unless a test brings another. */
  readonly browse?: (url: string) => Promise<void>;
}

/** Whether a variable holds a credential of the service, or of Pulumi. */
export function isSecretVariable(name: string): boolean {
  return isServiceCredential(name) || /^PULUMI_(ACCESS_TOKEN|CONFIG_PASSPHRASE)$/.test(name);
}

/** Whether a variable holds a credential of the service. */
export function isServiceCredential(name: string): boolean {
  return /^WORKSPACE_AUTOMATION_(.*_)?(TOKEN|SECRET)$/.test(name);
}

/**
 * The terminal, pipe or file this process was started with. Credentials are moved from its environment to `env`: only who is
 * given them has them, and not each program that is started (a browser, a compiler).
 */
export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (isSecretVariable(name)) delete process.env[name];
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

/** The one place that writes: nothing that came from a service or a file commands a terminal or a CI runner. */
function write(stream: Output, text: string, io: Io, commands = false): void {
  stream.write(printed(text, { ...printingOf(io), commands }));
}

function printingOf({ colors, env }: Io): { readonly colors: boolean; readonly ci: boolean } {
  return { colors: colors.isColorSupported, ci: isCi(env) };
}

/** A line for people, beside the result. */
export function note(io: Io, line: string): void {
  if (!io.quiet) warn(io, oneLine(line));
}

/** Lines for people that are told with `--quiet` too, such as errors. */
export function warn(io: Io, lines: string): void {
  write(io.stderr, `${lines}\n`, io);
}

/** A line of the result. */
export function print(io: Io, line = ""): void {
  printText(io, `${oneLine(line)}\n`);
}

/** A result of many lines, as it is. */
export function printText(io: Io, text: string): void {
  write(io.stdout, text, io);
}

/** Commands for the CI runner that reads. */
export function printCommands(io: Io, text: string): void {
  write(io.stdout, text, io, true);
}

/** A line that says what it came to: shown with `--quiet` too. */
export function printResult(io: Io, line: string): void {
  write(io.results ?? io.stdout, `${oneLine(line)}\n`, io);
}

/** A text on a terminal that is written over again and again. */
export interface LiveText {
  show(text: string): void;
  clear(): void;
  /** Leaves the last text where it is. */
  done(): void;
}

/** @param stream the terminal, where somebody holds standard error back */
export async function liveText(io: Io, stream: Output = io.stderr): Promise<LiveText> {
  const { createLogUpdate } = await import("log-update");
  // It would hide the cursor by writing to the stream, each time.
  const update = createLogUpdate(stream as NodeJS.WriteStream, { showCursor: stream !== io.stderr });
  return {
    show: (text) => update(printed(text, printingOf(io))),
    clear: () => update.clear(),
    done: () => update.done(),
  };
}

/** Waits until everything is written. */
export function flushed(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => process.stderr.write("", () => resolve())));
}

/** The same world for what is wrong: shown with `--quiet` too. */
export function forProblems(io: Io): Io {
  return io.results === undefined ? io : { ...io, stdout: io.results };
}

/** Writes to nowhere. */
export function silent(): Output {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
