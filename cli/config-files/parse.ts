/** Files beside the workspace file, each of a form of its own: ignored drift, fleets, mappings, people. */
import type { z } from "zod";
import { keysAt, problemsOf, type PropertyPath } from "../../provider/definition/problems.js";
import { parseYaml, positionAt, diagnosticAt, valueOf, type Tree } from "../../workspace-file/index.js";
import { WorkspaceFileError } from "../../workspace-file/load/index.js";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ParsedFile<T> {
  readonly data: T;
  /** Where everything is written. */
  readonly tree: Tree;
}

/**
 * What a YAML text of such a form says.
 * @param more what else there is to say of a problem at a path
 * @throws {WorkspaceFileError} with all that is wrong in it
 */
export function parseFile<S extends z.ZodType>(
  schema: S,
  file: string,
  source: string,
  more: (tree: Tree, path: PropertyPath) => string = () => "",
): ParsedFile<z.infer<S>> {
  const { tree, problems } = parseYaml(file, source);
  if (tree === undefined || problems.length > 0) throw new WorkspaceFileError(file, problems, source);
  const parsed = schema.safeParse(valueOf(tree), { reportInput: true });
  if (parsed.success) return { data: parsed.data, tree };
  const found = problemsOf(parsed.error, (path) => keysAt(schema, path)).map(
    ({ path, atKey, code, message }) =>
      diagnosticAt(positionAt(tree, path, atKey), { code, message: `${message}${more(tree, path)}` }, path),
  );
  throw new WorkspaceFileError(file, found, source);
}

/** Where a file of this name stands beside a workspace file, or in a folder of them. */
export function beside(workspaceFile: string, name: string): string {
  const isFolder = existsSync(workspaceFile) && statSync(workspaceFile).isDirectory();
  return join(isFolder ? workspaceFile : dirname(workspaceFile), name);
}
