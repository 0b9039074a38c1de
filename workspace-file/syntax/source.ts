/** Texts that parts of a document come from, and places in them. */
import { LineCounter } from "yaml";

/** A place in a file, counted from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A file, or what stands for one. */
export class Source {
  readonly lineCounter = new LineCounter();

  /** @param text empty for what is no text, such as the value of a module: it has no places but its beginning */
  constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  place(offset: number): Location {
    const { line, col } = this.lineCounter.linePos(Math.min(offset, this.text.length));
    return { file: this.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Where a part of a document is written. */
export interface Position {
  readonly source: Source;
  readonly offset: number;
}

export function locationOf({ source, offset }: Position): Location {
  return source.place(offset);
}
