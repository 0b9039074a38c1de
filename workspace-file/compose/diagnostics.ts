/** Problems found while documents are put together. */
import type { ProblemCode } from "../../provider/definition/problems.js";
import { diagnosticAt, type Diagnostic } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";

export class Problems {
  readonly all: Diagnostic[] = [];

  add(at: Position, code: ProblemCode, message: string): void {
    this.all.push(diagnosticAt(at, { code, message }));
  }
}

/** `file:line` of what is spoken of beside the place of the problem. */
export function where({ source, offset }: Position): string {
  const { file, line } = source.place(offset);
  return `${file}:${line}`;
}
