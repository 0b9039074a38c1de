/** The exported files are read as any others before anybody gets them: they are valid, and lint finds no error in them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseYaml, valueOf } from "../../../workspace-file/index.js";
import { lint } from "../../../workspace-file/lint/index.js";
import type { Files } from "./files.js";

export interface Proven {
  readonly files: Files;
  /** What lint would refuse, were it not said to be so at the service: `file:line: message`. */
  readonly doubts: readonly string[];
}

/** Says of what lint would refuse that it is so at the service. @throws {WorkspaceFileError} when a file is not valid */
export async function proven(files: Files): Promise<Proven> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workspacectl-export-")));
  try {
    for (const [file, text] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, file), text, { mode: 0o600 });
    }
    const [main = ""] = files.keys();
    const { findings } = await lint(join(folder, main), { env: {} });
    const errors = findings.filter(({ severity }) => severity === "error");
    const doubts = errors.map(({ place, message }) => `${relative(folder, place.file)}: ${message}`);
    const commented = [...files].map(([file, text]): [string, string] => [
      file,
      withCommentLines(
        text,
        errors.filter(({ place }) => relative(folder, place.file) === file),
      ),
    ]);
    return { files: new Map(commented), doubts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Refused {
  readonly code: string;
  readonly place: { readonly line: number };
}

function valueIn(text: string): unknown {
  const { tree } = parseYaml("", text);
  return tree && valueOf(tree);
}

/** Says above the lines that lint refuses that it is so at the service. */
export function withCommentLines(text: string, refused: readonly Refused[]): string {
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
        ? [`${indent}# lint-ignore: ${[...of].join(", ")} -- so it is at the service${end}`, line]
        : [line];
    })
    .join("\n");
  // Within a text of several lines a comment would be a part of it.
  return isDeepStrictEqual(valueIn(commented), valueIn(text)) ? commented : text;
}
