/** The stack that a workspace file names. It has to be known before the overlay of the stack can be read. */
import { existsSync } from "node:fs";
import { listProblems } from "../../resources/definition/problems.js";
import { listDocumentKeys } from "../compose/shape.js";
import { documentHead } from "../document/properties.js";
import { createDiagnostic } from "../syntax/diagnostics.js";
import { type ParsedYaml, parseYaml } from "../syntax/parse.js";
import { Source } from "../syntax/source.js";
import { buildTree, getValue } from "../syntax/tree.js";
import { WorkspaceFileError } from "./errors.js";
import { isFolder, listDocumentsIn, readDocumentText, readStdin, STDIN } from "./files.js";
import { isModule, readModule } from "./module.js";
import type { LoadOptions } from "./read-document.js";

/**
 * Returns the stack that a file, or a file of a folder, names. Includes and overlays cannot name one.
 * @throws {WorkspaceFileError} when it is not a name, or the file cannot be parsed
 */
export function stackNamedIn(name: string, options: LoadOptions = {}): string | undefined {
  if (name !== STDIN && !existsSync(name)) return undefined;
  for (const file of isFolder(name) ? listDocumentsIn(name) : [name]) {
    const stack = readStackName(file, options);
    if (stack !== undefined) return stack;
  }
  return undefined;
}

function readStackName(
  file: string,
  { allowPaths: allowed, stdin = readStdin }: LoadOptions,
): string | undefined {
  const text = file === STDIN ? stdin() : readDocumentText(file, { named: true, allowed });
  // Parsing takes time, and most files name no stack.
  if (!text.includes("stack")) return undefined;
  const { tree, source, problems } = isModule(file)
    ? readTreeOfModule(file)
    : parseYaml(file, text, listDocumentKeys());
  // A file of another kind is not quoted: its source has no text.
  if (problems.length > 0) throw new WorkspaceFileError(file, problems, source.text);
  const value = tree?.kind === "map" ? tree.entries.get("stack")?.value : undefined;
  if (value === undefined) return undefined;
  const { data, error } = documentHead.stack.safeParse(getValue(value));
  if (error === undefined) return data;
  const message = `stack: ${listProblems(error)
    .map((problem) => problem.message)
    .join(", ")}`;
  throw new WorkspaceFileError(
    file,
    [createDiagnostic(value.at, { code: "wrong-format", message })],
    source.text,
  );
}

function readTreeOfModule(file: string): ParsedYaml {
  const source = new Source(file, "");
  return { source, tree: buildTree(readModule(file), source), problems: [] };
}
