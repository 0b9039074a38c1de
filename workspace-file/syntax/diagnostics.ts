/** Problems at locations in files, as data and as text. */
import { formatPath, type Problem, type PropertyPath } from "../../resources/definition/problems.js";
import { getLocation, type Location, type Position } from "./source.js";

/** Problem at a location in a file. */
export interface Diagnostic extends Pick<Problem, "message" | "code"> {
  readonly place: Location;
}

/** Problem of a composed document whose location is not determined yet. */
export interface DocumentProblem extends Problem {
  /** Position of the value where the path does not lead to it, as in a template. */
  readonly at?: Position;
  /** Text that no other problem of the document may repeat. */
  readonly hides?: string;
}

/** Returns a problem at a position. Parts of a module have no line and are named by their path. */
export function createDiagnostic(
  position: Position,
  { message, code }: Pick<Problem, "message" | "code">,
  path: PropertyPath = [],
): Diagnostic {
  const named = position.source.text === "" && path.length > 0 ? `${formatPath(path)}: ${message}` : message;
  return { place: getLocation(position), message: named, code };
}

/** Formats `file:line:column: message`, the source line and a caret below the location. */
export function formatDiagnostic(
  problem: Pick<Diagnostic, "message" | "place"> & { readonly code: string },
  text: string,
): string {
  const { file, line, column } = problem.place;
  // A file that cannot be read has no line to show.
  if (problem.code === "unreadable" && text === "" && line === 1 && column === 1)
    return `${file}: ${problem.message}`;
  const head = `${file}:${line}:${column}: ${problem.message}`;
  const source = listLines(text)[line - 1];
  if (source === undefined || source.trim() === "") return head;
  const start = Math.max(0, column - 80);
  const shown = source.slice(start, start + 120);
  const gutter = String(line).padStart(5);
  return `${head}\n${gutter} | ${shown}\n${" ".repeat(gutter.length)} | ${" ".repeat(column - 1 - start)}^`;
}

/** The text that was quoted last. A file with many problems is quoted for each. */
let quoted: { readonly text: string; readonly lines: readonly string[] } = { text: "", lines: [] };

function listLines(text: string): readonly string[] {
  if (quoted.text !== text) quoted = { text, lines: text.split(/\r?\n/) };
  return quoted.lines;
}
