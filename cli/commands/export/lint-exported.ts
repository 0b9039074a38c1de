/** Lints exported texts before they are written. */
import { relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseYaml, getValue } from "../../../workspace-file/index.js";
import { lint, type LintFinding } from "../../../workspace-file/lint/index.js";
import type { EditOptions } from "../../../workspace-file/edit/index.js";
import type { Files } from "./writers/yaml.js";

/** Texts that are not written yet, by absolute path. */
type Texts = ReadonlyMap<string, string>;

export interface Proven {
  readonly files: Files;
  /** Lint errors that comments in the files suppress, because the workspace has these values: `file:line: message`. */
  readonly doubts: readonly string[];
}

/** Suppresses lint errors by comments: the workspace has these values. @throws {WorkspaceFileError} when a file is invalid */
export async function proveExport(files: Files): Promise<Proven> {
  const texts = new Map([...files].map(([file, text]) => [resolve(file), text]));
  const [main = ""] = texts.keys();
  const errors = await lintErrors(main, texts);
  const commented = withLintComments(texts, errors);
  return {
    files: new Map([...files].map(([file, text]) => [file, commented.get(resolve(file)) ?? text])),
    doubts: errors.map(({ place, message }) => `${relative("", place.file)}: ${message}`),
  };
}

export async function lintErrors(
  main: string,
  texts: Texts,
  options: EditOptions = {},
): Promise<LintFinding[]> {
  const { findings } = await lint(main, { ...options, env: {}, texts });
  return findings.filter(({ severity }) => severity === "error");
}

/** Adds comments that suppress lint errors. */
export function withLintComments(texts: Texts, errors: readonly LintFinding[]): Texts {
  const isIn = (path: string) => (error: LintFinding) => resolve(error.place.file) === path;
  return new Map([...texts].map(([path, text]) => [path, withCommentLines(text, errors.filter(isIn(path)))]));
}

function parseValue(text: string): unknown {
  const { tree } = parseYaml("", text);
  return tree && getValue(tree);
}

/** Adds a suppressing comment above each line with a lint error. */
function withCommentLines(text: string, refused: readonly LintFinding[]): string {
  if (refused.length === 0) return text;
  const lines = text.split("\n");
  const codes = new Map<number, Set<string>>();
  for (const { code, place } of refused)
    codes.set(place.line, (codes.get(place.line) ?? new Set()).add(code));
  const commented = lines
    .flatMap((line, index) => {
      const of = codes.get(index + 1);
      const indent = /^ */.exec(line)?.[0] ?? "";
      const end = line.endsWith("\r") ? "\r" : "";
      return of
        ? [`${indent}# lint-ignore: ${[...of].join(", ")} -- exported as it is in the service${end}`, line]
        : [line];
    })
    .join("\n");
  // Inside a text of several lines, the comment would become part of the text.
  return isDeepStrictEqual(parseValue(commented), parseValue(text)) ? commented : text;
}
