/** Input and output of a command, which tests replace. */
import { type Readable, Writable } from "node:stream";
import type pc from "picocolors";
import type { Port } from "../automation/port.js";
import type { Frame } from "../automation/progress/tally.js";
import { isCi, makeOneLine, makePrintable, makeVisible } from "../text/safe-text.js";
import { getWidth, wrapLines } from "../text/wrap.js";

type Colors = ReturnType<typeof pc.createColors>;

/** Stream to write to, which may be a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The objects of a plan on the screen, which are updated in place. */
export interface PlanPicture {
  /** @param height number of lines on the screen @returns nothing when there is no room for all objects */
  lines(frame: Frame, height: number): readonly string[] | undefined;
}

export interface Io extends Port {
  /** Stream for results. */
  readonly stdout: Output;
  /** Stream for progress, notes and errors. */
  readonly stderr: Output;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly colors: Colors;
  /** Whether progress and notes are suppressed. */
  readonly quiet?: boolean;
  /** Stream for results when standard output is silent. */
  readonly results?: Output;
  /** Opens an address in a browser. Default: the user's own. */
  readonly browse?: (url: string) => Promise<void>;
  /** Shows the objects of a plan while they change, and stays on the screen at the end. */
  readonly picture?: PlanPicture | undefined;
  /** Whether a program that runs the operation answers its questions; without a program, a user may. */
  readonly answers?: boolean;
}

/** Writes all output. Makes sure that no text of a service or a file controls a terminal or a CI runner. */
function write(stream: Output, text: string, io: Io, commands = false): void {
  stream.write(makePrintable(text, { ...choosePrinting(io), commands }));
}

/** When the last line was written to a stream. */
const written = new WeakMap<Output, number>();

/** When standard error was last written to; undefined before the first line. */
export function findLastMessage({ stderr }: Pick<Io, "stderr">): number | undefined {
  return written.get(stderr);
}

/** Counts the time without a line from now on: what is quiet before an operation counts, too. */
export function noteStart({ stderr }: Pick<Io, "stderr">): void {
  written.set(stderr, Date.now());
}

/** Writes lines that are wrapped on a terminal. */
function writeMessage(stream: Output, lines: string, io: Io): void {
  written.set(stream, Date.now());
  write(stream, `${wrapLines(makeVisible(lines), getWidth(stream))}\n`, io);
}

function choosePrinting({ colors, env }: Io): { readonly colors: boolean; readonly ci: boolean } {
  return { colors: colors.isColorSupported, ci: isCi(env) };
}

/** Prints lines that explain an operation to standard error. */
export function printMessage(io: Io, lines: string): void {
  writeMessage(io.stderr, lines, io);
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
  complete.add(io.stdout);
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
