/** Texts that parts of a document come from, and locations in them. */
import { LineCounter } from "yaml";

/** Location in a file, counted from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** File, or a substitute for one. */
export class Source {
  readonly lineCounter = new LineCounter();

  /** @param text empty for a source without text, such as a module, whose only location is its beginning */
  constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  locate(offset: number): Location {
    const { line, col } = this.lineCounter.linePos(Math.min(offset, this.text.length));
    return { file: this.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Position of a part of a document. */
export interface Position {
  readonly source: Source;
  readonly offset: number;
}

export function getLocation({ source, offset }: Position): Location {
  return source.locate(offset);
}
