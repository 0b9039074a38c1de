/** Problems at places of files, as data and as text. */
import { formatPath, type Problem, type PropertyPath } from "../../provider/definition/problems.js";
import { locationOf, type Location, type Position } from "./source.js";

/** Something wrong at a place of a file. */
export interface Diagnostic extends Pick<Problem, "message" | "code"> {
  readonly place: Location;
}

/** A problem of a composed document, before its location is known. */
export interface DocumentProblem extends Problem {
  /** Where the value stands, if that is known better than by the path: in a template, for example. */
  readonly at?: Position;
}

/** A problem at a position; a part of a module is named by its path, since it has no line of its own. */
export function diagnosticAt(
  position: Position,
  { message, code }: Pick<Problem, "message" | "code">,
  path: PropertyPath = [],
): Diagnostic {
  const named = position.source.text === "" && path.length > 0 ? `${formatPath(path)}: ${message}` : message;
  return { place: locationOf(position), message: named, code };
}

/** `file:line:column: message`, the source line and a caret under the place. */
export function formatDiagnostic(problem: Diagnostic, text: string): string {
  const { file, line, column } = problem.place;
  // Of a file that cannot be read no line is to blame.
  if (problem.code === "unreadable" && text === "" && line === 1 && column === 1)
    return `${file}: ${problem.message}`;
  const head = `${file}:${line}:${column}: ${problem.message}`;
  const source = text.split(/\r?\n/)[line - 1];
  if (source === undefined || source.trim() === "") return head;
  const start = Math.max(0, column - 80);
  const shown = source.slice(start, start + 120);
  const gutter = String(line).padStart(5);
  return `${head}\n${gutter} | ${shown}\n${" ".repeat(gutter.length)} | ${" ".repeat(column - 1 - start)}^`;
}
