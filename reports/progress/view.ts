/** Shows progress while an operation runs: a live view on a terminal, occasional lines elsewhere. */
import { note } from "../../automation/port.js";
import type { Frames, Progress } from "../../automation/progress/tally.js";
import { isCi } from "../../text/safe-text.js";
import { getDrawnWidth } from "../../text/wrap.js";
import { findLastMessage, type Io, openLiveText, type Output } from "../io.js";
import { drawFrame, logLine } from "./frame.js";

/** Minimum interval between updates of the live view, which also runs without events. */
const FRAME_MS = 120;
const TICK_MS = 1000;
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** Minimum interval between lines in a log. */
const LOG_MS = 10_000;

/** Shows the frames of anything that counts its own events. */
export async function showFrames<E>(frames: Frames<E>, io: Io): Promise<Progress<E>> {
  if (io.quiet) return { onEvent: () => undefined, end: () => undefined };
  return isLive(io) ? startPicture(frames, io) : startLog(frames, io);
}

/** Whether progress is shown in place, and not as lines of a log. */
export function isLive({ stderr, env }: Pick<Io, "stderr" | "env">): boolean {
  return stderr.isTTY === true && env["TERM"] !== "dumb" && !isCi(env);
}

function startLog<E>(frames: Frames<E>, io: Io): Progress<E> {
  // What is quiet before an operation counts, too.
  let [last, waiting] = [findLastMessage(io) ?? frames.next().now, false];
  const tell = () => {
    const frame = frames.next();
    const { waiting: wait, slow } = frame.tallied;
    const waits = wait !== undefined || slow !== undefined;
    // A wait is reported at once, and again when it lasts long.
    if (frame.now - last < LOG_MS && !(waits && !waiting)) return;
    [last, waiting] = [frame.now, waits];
    note(io, logLine(frame));
  };
  const timer = setInterval(tell, TICK_MS);
  timer.unref();
  return {
    onEvent(event) {
      frames.onEvent(event);
      tell();
    },
    end: () => clearInterval(timer),
  };
}

async function startPicture<E>(frames: Frames<E>, io: Io): Promise<Progress<E>> {
  const { picture: view } = io;
  const terminal = new SharedTerminal(io);
  const live = await openLiveText(io, terminal.stream);
  const showCursor = () => terminal.write(SHOW_CURSOR);
  process.once("exit", showCursor);
  terminal.write(HIDE_CURSOR);
  let next: NodeJS.Timeout | undefined;
  const draw = () => {
    next = undefined;
    const above = terminal.takeWritten();
    if (above !== "") {
      live.clear();
      terminal.write(above);
    }
    const frame = frames.next();
    const bar = drawFrame(frame, { columns: getDrawnWidth(io.stderr), colors: io.colors });
    const lines = view?.lines(frame, measureHeight(io) - MARGIN);
    live.show(lines === undefined ? bar : [...lines, bar.split("\n")[0]].join("\n"));
  };
  const soon = () => (next ??= setTimeout(draw, FRAME_MS));
  terminal.onWritten = soon;
  const ticker = setInterval(soon, view === undefined ? TICK_MS : FRAME_MS);
  draw();
  return {
    onEvent(event) {
      frames.onEvent(event);
      soon();
    },
    end() {
      clearInterval(ticker);
      clearTimeout(next);
      const last = view?.lines(frames.next(), measureHeight(io) - MARGIN);
      if (last === undefined) live.clear();
      else live.show(last.join("\n"));
      live.done();
      process.off("exit", showCursor);
      showCursor();
      terminal.release();
    },
  };
}

/** Lines of the screen that are reserved for the bar, a wait and the cursor. */
const MARGIN = 3;

function measureHeight({ stderr }: Pick<Io, "stderr">): number {
  return stderr.rows ?? 24;
}

/** Holds back what is printed while the live view is shown, and prints it above the next frame. */
class SharedTerminal {
  onWritten: () => void = () => undefined;
  readonly stream: NodeJS.WriteStream;
  readonly write: (text: string) => void;
  private written = "";
  private readonly restore: (() => void)[] = [];

  constructor({ stdout, stderr }: Io) {
    const original = stderr.write.bind(stderr) as (text: string) => boolean;
    this.write = (text) => void original(text);
    const own = { write: original, isTTY: true };
    this.stream = new Proxy(stderr, {
      get: (target, key) =>
        key in own ? own[key as keyof typeof own] : (Reflect.get(target, key) as unknown),
    }) as unknown as NodeJS.WriteStream;
    // Standard output that goes to a file does not disturb the live view.
    for (const stream of new Set(stdout.isTTY ? [stdout, stderr] : [stderr]))
      this.restore.push(
        interceptWrites(stream, (text) => {
          this.written += text;
          this.onWritten();
        }),
      );
  }

  takeWritten(): string {
    const text = this.written;
    this.written = "";
    return text;
  }

  release(): void {
    for (const restore of this.restore) restore();
    const rest = this.takeWritten();
    if (rest !== "") this.write(rest);
  }
}

/**
 * Passes what is written to a stream to a function, in place of the stream.
 * @param write receives each text, and what writes to the stream itself
 * @returns what ends it
 */
export function interceptWrites(
  stream: Output,
  write: (text: string, through: () => boolean) => boolean | void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  const original = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) =>
    write(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString(), () =>
      original(chunk, ...rest),
    ) ?? true) as typeof stream.write;
  return () => {
    if (own) Object.defineProperty(stream, "write", own);
    else Reflect.deleteProperty(stream, "write");
  };
}
