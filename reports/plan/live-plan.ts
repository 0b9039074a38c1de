/** Updates a plan on the terminal while it is applied: a spinner, a tick and the time of each object, in the place where it was planned. */
import type { PlanStep } from "../../automation/plan/record-plan.js";
import type { Frame } from "../../automation/progress/tally.js";
import { getDrawnWidth } from "../../text/wrap.js";
import type { Io, PlanPicture } from "../io.js";
import { interceptWrites, isLive } from "../progress/view.js";
import type { Row } from "./changed-rows.js";
import { formatRowLines, formatSeconds, type RowMark } from "./print-plan.js";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPIN_MS = 120;
/** Shorter times are not worth a reader's attention. */
const WORTH_MS = 100;

interface PrintedRows {
  readonly rows: readonly Row[];
  /** Lines after the rows. */
  readonly notes: readonly string[];
}

export class LivePlan {
  private measured: MeasuredTerminal | undefined;

  constructor(private readonly io: Io) {}

  /** Begins to measure what is printed from here on, which the live view replaces. */
  measure(): void {
    const isPossible = isLive(this.io) && this.io.stdout.isTTY === true && !this.io.quiet;
    this.end();
    if (isPossible) this.measured = new MeasuredTerminal(this.io);
  }

  /** Removes the printed plan from the screen, if all of it is there, and returns what shows it instead. */
  start({ rows, notes }: PrintedRows): PlanPicture | undefined {
    const { measured, io } = this;
    this.end();
    const screen = io.stdout.rows ?? 24;
    if (measured === undefined || measured.height >= screen) return undefined;
    const lines = (frame: Frame) => [
      ...rows.flatMap((row) => formatRowLines(row, io, chooseMark(row, frame, io))),
      "",
      ...notes,
    ];
    measured.erase();
    return {
      lines: (frame, height) => {
        const all = lines(frame);
        return all.length > height ? undefined : all;
      },
    };
  }

  end(): void {
    this.measured?.release();
    this.measured = undefined;
  }
}

/** How far a row is; undefined before it begins. */
function chooseMark({ steps }: Row, { tallied, now }: Frame, { colors }: Io): RowMark | undefined {
  if (steps.length === 0) return undefined;
  const ended = steps.flatMap((step) => tallied.ended?.get(getKey(step)) ?? []);
  const failures = ended.filter(({ failed }) => failed).length;
  if (failures > 0)
    return { symbol: colors.red("✗"), after: colors.red(failures === 1 ? "failed" : `${failures} failed`) };
  const running = tallied.running.filter((one) => steps.some((step) => getKey(step) === getKey(one)));
  if (ended.length >= steps.length) {
    const took = Math.max(...ended.map((one) => one.took));
    return {
      symbol: colors.green("✓"),
      ...(took < WORTH_MS ? {} : { after: colors.dim(formatSeconds(took)) }),
    };
  }
  if (running.length === 0 && ended.length === 0) return undefined;
  const symbol = colors.yellow(SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length] ?? "");
  const since = Math.min(now, ...running.map((one) => one.since));
  const count = steps.length === 1 ? [] : [`${ended.length} of ${steps.length}`];
  const after = [...count, ...(now - since < 1000 ? [] : [formatSeconds(now - since)])].join(", ");
  return { symbol, ...(after === "" ? {} : { after: colors.dim(after) }) };
}

const getKey = ({ type, name }: Pick<PlanStep, "type" | "name">) => `${type} ${name}`;

// eslint-disable-next-line no-control-regex -- the terminal's own language
const SIGNS = /\u001b\[([?\d;]*)([A-Za-z])|[^\u001b]/gu;

/** Counts the lines by which everything that is printed moves the cursor down. */
class MeasuredTerminal {
  height = 0;
  private readonly restore: (() => void)[] = [];
  private readonly write: (text: string) => boolean;

  private readonly columns: number;
  private column = 0;

  constructor({ stdout, stderr }: Io) {
    this.write = stdout.write.bind(stdout) as (text: string) => boolean;
    this.columns = getDrawnWidth(stdout);
    for (const stream of new Set([stdout, stderr]))
      this.restore.push(
        interceptWrites(stream, (text, through) => {
          this.read(text);
          return through();
        }),
      );
  }

  erase(): void {
    if (this.height > 0) this.write(`\u001b[${this.height}A`);
    this.write("\r\u001b[0J");
  }

  release(): void {
    for (const restore of this.restore.splice(0)) restore();
  }

  private read(text: string): void {
    for (const [sign, count = "", move] of text.matchAll(SIGNS)) {
      if (move !== undefined) this.obey(move, Number(count) || 1);
      else if (sign === "\n") this.moveTo(this.height + 1, 0);
      else if (sign === "\r") this.column = 0;
      else if (this.column < this.columns) this.column += 1;
      // A line that is too long continues on the next one.
      else this.moveTo(this.height + 1, 1);
    }
  }

  private obey(move: string, count: number): void {
    if (move === "A" || move === "F") this.moveTo(this.height - count, this.column);
    else if (move === "B" || move === "E") this.moveTo(this.height + count, this.column);
    else if (move === "G") this.column = count - 1;
    else if (move === "D") this.column = Math.max(0, this.column - count);
  }

  private moveTo(height: number, column: number): void {
    [this.height, this.column] = [height, column];
  }
}
