/** Suppresses new lint errors in updated files, as in a new file. */
import { resolve } from "node:path";
import type { EditedFile } from "../../../../workspace-file/edit/index.js";
import type { LintFinding } from "../../../../workspace-file/lint/index.js";
import { lintErrors, withLintComments } from "../proof.js";
import type { Existing } from "./existing.js";

export interface LintedFiles {
  readonly files: readonly EditedFile[];
  /** `file:line: message` */
  readonly doubts: readonly string[];
}

export async function lintedFiles(
  { file, reading }: Existing,
  files: readonly EditedFile[],
): Promise<LintedFiles> {
  const written = files.filter(({ isGone }) => !isGone);
  const texts = new Map(written.map(({ path, after }) => [resolve(path), after]));
  const errors = files.length === 0 ? [] : await lintErrors(file, texts, reading);
  if (errors.length === 0) return { files, doubts: [] };
  const identity = ({ code, message, place }: LintFinding) => `${code} ${place.file} ${message}`;
  const known = new Set((await lintErrors(file, new Map(), reading)).map(identity));
  const fresh = errors.filter((finding) => !known.has(identity(finding)));
  const commented = withLintComments(texts, fresh);
  return {
    files: files.map((one) => ({ ...one, after: commented.get(resolve(one.path)) ?? one.after })),
    doubts: fresh.map(({ place, message }) => `${place.file}:${place.line}: ${message}`),
  };
}
