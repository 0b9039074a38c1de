/** Parses the YAML files next to the workspace file (ignored drift, fleets, mappings and people), and writes the line that names their schema. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { listKeysAt, listProblems, type PropertyPath } from "../../provider/definition/problems.js";
import {
  createDiagnostic,
  getPositionAt,
  getValue,
  parseYaml,
  type Tree,
} from "../../workspace-file/index.js";
import { WorkspaceFileError } from "../../workspace-file/load/index.js";

/** Creates the first line of a file, which tells editors where the schema in the installed package is. */
export function getSchemaPath(name: string): string {
  return `./node_modules/pulumi-workspace-automation/schema/${name}.schema.json`;
}

export function formatSchemaLine(name: string): string {
  return `# yaml-language-server: $schema=${getSchemaPath(name)}`;
}

interface ParsedFile<T> {
  readonly data: T;
  /** The parsed text, with the location of each part. */
  readonly tree: Tree;
}

/**
 * Parses a YAML text, and validates it with a schema.
 * @param more adds an explanation to a problem at a path
 * @throws {WorkspaceFileError} with all its problems
 */
export function parseFile<S extends z.ZodType>(
  schema: S,
  file: string,
  text: string,
  more: (tree: Tree, path: PropertyPath) => string = () => "",
): ParsedFile<z.infer<S>> {
  const { tree, problems, source } = parseYaml(file, text, listKeysAt(schema, []));
  if (tree === undefined || problems.length > 0) throw new WorkspaceFileError(file, problems, source.text);
  const parsed = schema.safeParse(getValue(tree), { reportInput: true });
  if (parsed.success) return { data: parsed.data, tree };
  const found = listProblems(parsed.error, (path) => listKeysAt(schema, path)).map(
    ({ path, atKey, code, message }) =>
      createDiagnostic(
        getPositionAt(tree, path, atKey),
        { code, message: `${message}${more(tree, path)}` },
        path,
      ),
  );
  throw new WorkspaceFileError(file, found, source.text);
}

/** Returns the path of a file with this name next to a workspace file, or in a folder of workspace files. */
export function locateBeside(workspaceFile: string, name: string): string {
  const isFolder = existsSync(workspaceFile) && statSync(workspaceFile).isDirectory();
  return join(isFolder ? workspaceFile : dirname(workspaceFile), name);
}
