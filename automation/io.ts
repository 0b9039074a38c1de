/** Input and output of a command, which tests replace. */
import { type Readable, Writable } from "node:stream";
import type pc from "picocolors";
import { isCi, makeOneLine, makePrintable, makeTame, makeVisible } from "../text/safe-text.js";
import { getWidth, wrapLines } from "../text/wrap.js";
import type { AutomationPort } from "./port.js";

type Colors = ReturnType<typeof pc.createColors>;

/** Stream to write to, which may be a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface Io {
  /** Stream for results. */
  readonly stdout: Output;
  /** Stream for progress, notes and errors. */
  readonly stderr: Output;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  /** Whether a user can answer prompts. */
  readonly interactive: boolean;
  readonly colors: Colors;
  /** Whether progress and notes are suppressed. */
  readonly quiet?: boolean;
  /** Stream for results when standard output is silent. */
  readonly results?: Output;
  /** Opens an address in a browser. Default: the user's own. */
  readonly browse?: (url: string) => Promise<void>;
  /** Receives what is said while an operation runs, instead of standard error. */
  readonly on?: AutomationPort["on"];
  /** Answers questions, instead of a user at a terminal. */
  readonly ask?: AutomationPort["ask"];
  /** Cancels operations, instead of the signals of this process. */
  readonly signal?: AutomationPort["signal"];
}

/** Reports whether a variable contains a credential of the service or of Pulumi. */
export function isSecretVariable(name: string): boolean {
  return isServiceCredential(name) || /^PULUMI_(ACCESS_TOKEN|CONFIG_PASSPHRASE)$/.test(name);
}

/** Reports whether a variable contains a credential of the service. */
export function isServiceCredential(name: string): boolean {
  return /^WORKSPACE_AUTOMATION_(.*_)?(TOKEN|SECRET)$/.test(name);
}

/** Writes all output. Makes sure that no text of a service or a file controls a terminal or a CI runner. */
function write(stream: Output, text: string, io: Io, commands = false): void {
  stream.write(makePrintable(text, { ...choosePrinting(io), commands }));
}

/** Writes lines that are wrapped on a terminal. */
function writeMessage(stream: Output, lines: string, io: Io): void {
  write(stream, `${wrapLines(makeVisible(lines), getWidth(stream))}\n`, io);
}

function choosePrinting({ colors, env }: Io): { readonly colors: boolean; readonly ci: boolean } {
  return { colors: colors.isColorSupported, ci: isCi(env) };
}

/** Prints a note. */
export function note(io: Io, line: string): void {
  if (io.on) io.on({ type: "note", message: makeTame(makeOneLine(line)) });
  else if (!io.quiet) warn(io, makeOneLine(line));
}

/** Prints lines to standard error, also with `--quiet`. */
export function warn(io: Io, lines: string): void {
  if (io.on) io.on({ type: "warning", message: makeTame(lines) });
  else writeMessage(io.stderr, lines, io);
}

/** Prints a line of the result. */
export function print(io: Io, line = ""): void {
  complete.add(io.stdout);
  writeMessage(io.stdout, makeOneLine(line), io);
}

/** Streams to which a whole result was printed. */
const complete = new WeakSet<Io["stdout"]>();

/** Reports whether standard output has a result already. */
export function hasPrintedResult({ stdout }: Pick<Io, "stdout">): boolean {
  return complete.has(stdout);
}

/** Prints a result of several lines unchanged. */
export function printText(io: Io, text: string): void {
  complete.add(io.stdout);
  write(io.stdout, text, io);
}

/** Prints commands for a CI runner. */
export function printCommands(io: Io, text: string): void {
  write(io.stdout, text, io, true);
}

/** Prints the final line of a command, also with `--quiet`. */
export function printResult(io: Io, line: string): void {
  writeMessage(io.results ?? io.stdout, makeOneLine(line), io);
}

/** Text on a terminal that is updated in place. */
export interface LiveText {
  show(text: string): void;
  clear(): void;
  /** Ends the updates and keeps the last text. */
  done(): void;
}

/** @param stream terminal, when standard error is captured */
export async function openLiveText(io: Io, stream: Output = io.stderr): Promise<LiveText> {
  const { createLogUpdate } = await import("log-update");
  // Otherwise the library writes to the stream to hide the cursor.
  const update = createLogUpdate(stream as NodeJS.WriteStream, { showCursor: stream !== io.stderr });
  return {
    show: (text) => update(makePrintable(makeVisible(text), choosePrinting(io))),
    clear: () => update.clear(),
    done: () => update.done(),
  };
}

/** Returns an Io for problems, which are printed also with `--quiet`. */
export function redirectToProblems(io: Io): Io {
  return io.results === undefined ? io : { ...io, stdout: io.results };
}

/** Returns a stream that keeps what is written, and its text so far. */
export function captureOutput(): { readonly stream: Output; readonly text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => chunks.join("") };
}

/** Returns a stream that discards its input. */
export function createSilentOutput(): Output {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
