/** Reads what a program wrote to a terminal, as it is on the screen at the end. */
import headless from "@xterm/headless";

/** Characters of a line in the same style. */
export interface Styled {
  readonly text: string;
  /** Code of the foreground: 31 is red; undefined is the color of text. */
  readonly color: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
}

export type ScreenLine = readonly Styled[];

export const joinText = (line: ScreenLine): string => line.map(({ text }) => text).join("");

/** Returns the lines of a terminal with this number of columns, without blank ones at the end. */
export async function readScreen(written: string, columns: number): Promise<ScreenLine[]> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows: 60,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  await new Promise<void>((done) => terminal.write(written, done));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => readLine(active.getLine(row)));
  terminal.dispose();
  const last = lines.findLastIndex((line) => line.length > 0);
  return lines.slice(0, last + 1);
}

type BufferLine = NonNullable<ReturnType<headless.Terminal["buffer"]["active"]["getLine"]>>;

function readLine(line: BufferLine | undefined): ScreenLine {
  const runs: Styled[] = [];
  const width = line?.translateToString(true).length ?? 0;
  for (let column = 0; column < width; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined) break;
    const style = {
      color: cell.isFgPalette() ? 30 + cell.getFgColor() : undefined,
      bold: cell.isBold() > 0,
      dim: cell.isDim() > 0,
    };
    const text = cell.getChars() || " ";
    const before = runs.at(-1);
    const isSame = before?.color === style.color && before?.bold === style.bold && before.dim === style.dim;
    runs.splice(isSame ? -1 : runs.length, 1, { text: isSame ? before.text + text : text, ...style });
  }
  return runs;
}
