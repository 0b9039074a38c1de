/** Problems found by the composition. */
import type { ProblemCode } from "../../resources/definition/problems.js";
import { createDiagnostic, type Diagnostic } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";

export class Problems {
  readonly all: Diagnostic[] = [];

  add(at: Position, code: ProblemCode, message: string): void {
    this.all.push(createDiagnostic(at, { code, message }));
  }
}

/** Formats `file:line` for a second location in a message. */
export function formatWhere({ source, offset }: Position): string {
  const { file, line } = source.locate(offset);
  return `${file}:${line}`;
}
