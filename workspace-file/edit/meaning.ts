/** The meaning of texts, by which a file is compared before it is written: what is read from them, whatever their form. */
import { resolve } from "node:path";
import { formatPath } from "../../resources/definition/problems.js";
import { DOCUMENT } from "../compose/shape.js";
import { type LoadOptions, readDeclarations } from "../load/load.js";
import { parseYaml } from "../syntax/parse.js";
import { getValue } from "../syntax/tree.js";
import { type Canonical, listCanonicalDifferences, toCanonical } from "./canonical-form.js";

/** NewTexts by absolute path. */
export type NewTexts = ReadonlyMap<string, string>;

/** What texts must mean, as their writer knows it, and how it is read from the texts alone. */
export interface Meaning {
  readonly expected: Canonical;
  /** @throws {Error} when the texts cannot be read */
  readonly read: (texts: NewTexts) => Canonical;
}

/** Reads a workspace file with its includes and overlays. @throws {WorkspaceFileError} when it is not valid */
export function readMeaning(file: string, options: LoadOptions): Canonical {
  return toCanonical(readDeclarations(file, options).tree, DOCUMENT);
}

/** The meaning of a document that a program has made. It is read as JSON, so that no writer of YAML takes part. */
export function getMeaningOf(document: unknown): Canonical {
  const text = JSON.stringify(document);
  return readMeaning("-", { mock: true, env: {}, stdin: () => text });
}

/** The meaning of a single file that no other one completes, such as an overlay. */
export function createPlainMeaning(path: string, expected: unknown): Meaning {
  return { expected, read: (texts) => readPlain(texts.get(resolve(path)) ?? "") };
}

/** Reads a text in YAML. @throws {Error} when it cannot be read */
export function readPlain(text: string): unknown {
  const { tree, problems } = parseYaml("", text.replace(/^\uFEFF/, ""));
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem.message);
  return tree === undefined ? null : getValue(tree);
}

/** The paths of what texts do not mean as they should, and "" for all of it. */
export function listMisread(texts: NewTexts, { expected, read }: Meaning): string[] {
  return listCanonicalDifferences(expected, read(texts)).map((path) => formatPath(path));
}
