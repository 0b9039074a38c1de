/** Provides a terminal that records its screen, and events of an engine that changes objects. */
import { PassThrough, Writable } from "node:stream";
import type { OpType } from "@pulumi/pulumi/automation/index.js";
import pc from "picocolors";
import { terminalPort } from "../../../cli/terminal/terminal-port.js";
import type { Io } from "../../../reports/io.js";
import { done, said, urn } from "../../automation/events.js";

/** Matches a sequence that moves the cursor or erases text, or one character. */
const ESC = String.fromCharCode(27);
const SIGNS = new RegExp(`${ESC}\\[([?0-9;]*[A-Za-z])|[^${ESC}]`, "g");

/** Interprets the output of log-update: lines, cursor movement and erasure. Fails for a line that is too long. */
export class Terminal {
  readonly lines: string[] = [""];
  /** Number of writes. */
  writes = 0;
  private row = 0;
  private column = 0;

  constructor(readonly columns: number) {}

  get screen(): string {
    return this.lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  write(text: string): void {
    this.writes++;
    for (const [part, escape] of text.matchAll(SIGNS)) {
      if (escape !== undefined) this.obey(escape);
      else if (part === "\n") this.moveTo(this.row + 1, 0);
      else if (part === "\r") this.moveTo(this.row, 0);
      else this.put(part);
    }
  }

  private put(sign: string): void {
    if (this.column >= this.columns)
      throw new Error(`a line is longer than ${this.columns}: ${this.lines[this.row]}`);
    const line = (this.lines[this.row] ?? "").padEnd(this.column);
    this.lines[this.row] = line.slice(0, this.column) + sign + line.slice(this.column + 1);
    this.column++;
  }

  private obey(escape: string): void {
    const count = Number.parseInt(escape, 10) || 1;
    const what = escape.at(-1);
    if (what === "A") this.moveTo(Math.max(0, this.row - count), this.column);
    if (what === "B") this.moveTo(this.row + count, this.column);
    if (what === "G") this.moveTo(this.row, 0);
    if (what === "D") this.moveTo(this.row, Math.max(0, this.column - count));
    if (what === "J") {
      this.lines.splice(this.row + 1);
      this.lines[this.row] = (this.lines[this.row] ?? "").slice(0, this.column);
    }
    if (what === "K")
      this.lines[this.row] = escape === "2K" ? "" : (this.lines[this.row] ?? "").slice(0, this.column);
  }

  private moveTo(row: number, column: number): void {
    [this.row, this.column] = [row, column];
    while (this.lines.length <= row) this.lines.push("");
  }
}

/** Creates an Io with this terminal or log for both outputs. */
export function ioOf(terminal: Terminal, { isTTY = true, quiet = false, env = {} } = {}): Io {
  const stream = () => {
    const output = new Writable({
      write(chunk: Buffer, _encoding, next) {
        terminal.write(chunk.toString());
        next();
      },
    });
    return Object.assign(output, { isTTY, columns: terminal.columns, rows: 40 });
  };
  const colors = pc.createColors(false);
  return {
    ...terminalPort,
    stdin: new PassThrough(),
    stdout: stream(),
    stderr: stream(),
    env,
    interactive: isTTY,
    colors,
    quiet,
  };
}

export function began(op: OpType, type: string, name: string) {
  const { resOutputsEvent } = done(op, [type, name], {}, {});
  return { sequence: 1, timestamp: 1, resourcePreEvent: { metadata: resOutputsEvent!.metadata } };
}

export function failed(op: OpType, type: string, name: string) {
  const { resOutputsEvent } = done(op, [type, name], {}, {});
  return {
    sequence: 1,
    timestamp: 1,
    resOpFailedEvent: { metadata: resOutputsEvent!.metadata, status: 1, steps: 1 },
  };
}

export const ended = (op: OpType, type: string, name: string) => done(op, [type, name], {}, {});

/** What the provider says while the service does not respond. */
export const isSlow = (what: string) =>
  said("info#err", `waiting for the service: ${what}\n`, urn("Group", "x"));

export const waits = (until: number, requests = 3) =>
  said(
    "info#err",
    `rate limit reached: ${requests} requests wait 60 s, until ${new Date(until).toISOString()}`,
    urn("Group", "x"),
  );
