/** What is new in a file and lint would refuse is so at the service, and the file says so, as a new one does. */
import { resolve } from "node:path";
import type { EditedFile } from "../../../../workspace-file/edit/index.js";
import { lint, type LintFinding } from "../../../../workspace-file/lint/index.js";
import { withCommentLines } from "../proof.js";
import type { Existing } from "./existing.js";

export interface LintedTexts {
  readonly files: readonly EditedFile[];
  /** `file:line: message` */
  readonly doubts: readonly string[];
}

export async function withLintComments(
  { file, reading }: Existing,
  files: readonly EditedFile[],
): Promise<LintedTexts> {
  if (files.length === 0) return { files, doubts: [] };
  const errorsIn = async (texts: ReadonlyMap<string, string>) => {
    const { findings } = await lint(file, { ...reading, env: {}, texts });
    return findings.filter(({ severity }) => severity === "error");
  };
  const texts = new Map(
    files.filter(({ isGone }) => !isGone).map(({ path, after }) => [resolve(path), after]),
  );
  const identity = ({ code, message, place }: LintFinding) => `${code} ${place.file} ${message}`;
  const errors = await errorsIn(texts);
  if (errors.length === 0) return { files, doubts: [] };
  const before = new Set((await errorsIn(new Map())).map(identity));
  const fresh = errors.filter((finding) => !before.has(identity(finding)));
  const commented = files.map((each) => ({
    ...each,
    after: withCommentLines(
      each.after,
      fresh.filter(({ place }) => resolve(place.file) === resolve(each.path)),
    ),
  }));
  const doubts = fresh.map(({ place, message }) => `${place.file}:${place.line}: ${message}`);
  return { files: commented, doubts };
}
