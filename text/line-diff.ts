/** Compares two texts line by line. */
import { diffArrays } from "diff";
import { describeForm, formatLine, quoteText } from "./safe-text.js";

/** A line of a comparison: removed, added, as before, or a note about lines that are not shown. */
export interface DiffLine {
  readonly sign: "-" | "+" | " " | "@";
  readonly text: string;
}

/** Stands for a missing line break at the end of a text, so that it is not mistaken for a line. */
const NO_BREAK = Symbol("no line break at the end");
/** A line of a text. */
export type TextLine = string | typeof NO_BREAK;

/** Unchanged lines around each change. */
const CONTEXT = 2;
/** Maximum number of lines that an exact comparison inserts and deletes; its time grows with the square. */
const MOST_EDITS = 400;
/** Longer lines lose what they have in common with the lines that they replace. */
const LONG_LINE = 160;
/** Characters that stay next to the part that differs. */
const AROUND = 20;

/** Splits a text at its line breaks. @param other the text that it is compared with: a difference at the end is marked */
export function splitLines(text: string, other?: string): TextLine[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return other?.endsWith("\n") ? [...lines, NO_BREAK] : lines;
}

/** Compares two lists of lines. @param context unchanged lines around each change; the others are counted */
export function diffLines(
  before: readonly TextLine[],
  after: readonly TextLine[],
  context: number = CONTEXT,
): DiffLine[] {
  const runs = splitRuns(before, after);
  return runs.flatMap((run, index) => {
    if ("removed" in run) return showChangedLines(run);
    return showSameLines(run.same, index === 0 ? 0 : context, index === runs.length - 1 ? 0 : context);
  });
}

interface Changed {
  readonly removed: readonly TextLine[];
  readonly added: readonly TextLine[];
}
type Run = Changed | { readonly same: readonly TextLine[] };

function splitRuns(before: readonly TextLine[], after: readonly TextLine[]): Run[] {
  const { start, end } = measureShared(before, after);
  const linesBefore = before.slice(start, before.length - end);
  const linesAfter = after.slice(start, after.length - end);
  const parts = diffArrays<TextLine>(linesBefore, linesAfter, { maxEditLength: MOST_EDITS });
  const middle: Run[] = [];
  for (const { value, removed, added } of parts ?? []) {
    if (!removed && !added) middle.push({ same: value });
    else {
      const last = middle.at(-1);
      const change = last !== undefined && "removed" in last ? (middle.pop() as Changed) : NO_CHANGE;
      middle.push(removed ? { ...change, removed: value } : { ...change, added: value });
    }
  }
  const ends = (lines: readonly TextLine[]): Run[] => (lines.length === 0 ? [] : [{ same: lines }]);
  return [
    ...ends(before.slice(0, start)),
    ...(parts === undefined ? [{ removed: linesBefore, added: linesAfter }] : middle),
    ...ends(before.slice(before.length - end)),
  ];
}

const NO_CHANGE: Changed = { removed: [], added: [] };

function showSameLines(lines: readonly TextLine[], head: number, tail: number): DiffLine[] {
  const show = (line: TextLine): DiffLine => ({ sign: " ", text: shortenLine(showLine(line)) });
  // A count in the place of one line would save nothing.
  const hidden = lines.length - head - tail;
  if (hidden < 2) return lines.map(show);
  return [
    ...lines.slice(0, head).map(show),
    { sign: "@", text: `${hidden} unchanged lines` },
    ...lines.slice(lines.length - tail).map(show),
  ];
}

/** Unchanged lines may lose their end. */
function shortenLine(line: string): string {
  return line.length <= LONG_LINE ? line : `${line.slice(0, snapToCharacter(line, LONG_LINE - 1))}…`;
}

function showChangedLines({ removed, added }: Changed): DiffLine[] {
  const pairs = removed.length === added.length ? removed.map((line, at) => cutPair(line, added[at]!)) : [];
  const [linesBefore, linesAfter] =
    pairs.length > 0 ? [pairs.map(([one]) => one), pairs.map(([, other]) => other)] : [removed, added];
  const [before, after] = makeDistinct(linesBefore, linesAfter);
  return [
    ...before.map((text): DiffLine => ({ sign: "-", text })),
    ...after.map((text): DiffLine => ({ sign: "+", text })),
  ];
}

/** Writes lines so that no removed one looks like another one that is added. */
function makeDistinct(removed: readonly TextLine[], added: readonly TextLine[]): [string[], string[]] {
  const tabs = [...removed, ...added].some((line) => line !== NO_BREAK && line.includes("\t"));
  const quoted = (ascii: boolean) => (line: TextLine) =>
    line === NO_BREAK ? showLine(line) : quoteText(line, ascii);
  for (const write of [showLine, quoted(false)]) {
    const form = (line: TextLine) => describeForm(write(line), tabs);
    const lines = new Map(removed.map((line) => [form(line), line]));
    const isUnlike = (line: TextLine) => (lines.get(form(line)) ?? line) === line;
    if (added.every(isUnlike)) return [removed.map(write), added.map(write)];
  }
  return [removed.map(quoted(true)), added.map(quoted(true))];
}

function showLine(line: TextLine): string {
  return line === NO_BREAK ? "(no line break at the end)" : formatLine(line);
}

function cutPair(before: TextLine, after: TextLine): [TextLine, TextLine] {
  if (before === NO_BREAK || after === NO_BREAK || Math.max(before.length, after.length) <= LONG_LINE)
    return [before, after];
  const { head, tail, parts } = findDifferingParts(before, after);
  return [`${head}${parts[0]}${tail}`, `${head}${parts[1]}${tail}`];
}

/** Two texts without what they share at their beginning and end, except for some characters. */
interface DifferingParts {
  readonly parts: readonly [before: string, after: string];
  /** An ellipsis where something is missing. */
  readonly head: "" | "…";
  readonly tail: "" | "…";
}

export function findDifferingParts(before: string, after: string): DifferingParts {
  const { start, end } = measureShared(before, after);
  const from = start > AROUND + 1 ? snapToCharacter(before, start - AROUND) : 0;
  const left = end > AROUND + 1 ? end - AROUND : 0;
  const part = (text: string) => text.slice(from, snapToCharacter(text, text.length - left));
  return { parts: [part(before), part(after)], head: from > 0 ? "…" : "", tail: left > 0 ? "…" : "" };
}

/** Moves a position out of the middle of a character. */
export function snapToCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at - 1 : at;
}

/** Number of items that two sequences share at their beginning and, after that, at their end. */
function measureShared(one: ArrayLike<unknown>, other: ArrayLike<unknown>): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return { start, end };
}
