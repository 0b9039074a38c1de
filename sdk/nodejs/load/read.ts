/** A workspace file from the disk to a plain value: read, parsed, placeholders filled. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { interpolate, MAX_FILE_BYTES, YamlFile, type PlacedProblem } from "../../../schema/index.js";
import { WorkspaceFileError } from "./errors.js";

export interface ReadOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ReadFile {
  readonly yaml: YamlFile;
  readonly value: unknown;
}

/**
 * Reads a workspace file.
 * @param name the file as the user named it; used in messages
 * @throws {WorkspaceFileError} when it cannot be read, is too large or is no YAML, or a placeholder cannot be filled
 */
export function readWorkspaceFile(name: string, options: ReadOptions = {}): ReadFile {
  const text = readText(name);
  const yaml = new YamlFile(name, text);
  const fail = (problems: readonly PlacedProblem[]) => new WorkspaceFileError(name, problems, text);

  const syntax = yaml.syntaxProblems();
  if (syntax.length > 0) throw fail(syntax);
  const unfilled = interpolate(yaml.document, {
    env: options.env ?? process.env,
    readFile: (path) => readBeside(name, path),
  });
  if (unfilled.length > 0) {
    throw fail(unfilled.map(({ node, message }) => ({ place: yaml.placeOfNode(node), message })));
  }
  const parsed = yaml.toValue();
  if ("problem" in parsed) throw fail([parsed.problem]);
  return { yaml, value: parsed.value };
}

function readText(name: string): string {
  const fail = (message: string) =>
    new WorkspaceFileError(name, [{ place: { file: name, line: 1, column: 1 }, message }], "");
  let size: number;
  try {
    const stat = statSync(name);
    if (stat.isDirectory()) throw fail("is a directory: name the workspace file in it");
    size = stat.size;
  } catch (error) {
    if (error instanceof WorkspaceFileError) throw error;
    throw fail(`there is no such file (looked in ${process.cwd()}): name the workspace file with -f FILE`);
  }
  if (size > MAX_FILE_BYTES) {
    const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
    throw fail(
      `the file has ${megabytes(size)}, more than the ${megabytes(MAX_FILE_BYTES)} a workspace file may have: ` +
        `move long texts into files of their own and refer to them with \${file:path}`,
    );
  }
  const text = new TextDecoder("utf-8", { fatal: true });
  try {
    return text.decode(readFileSync(name));
  } catch {
    throw fail("is not a text in UTF-8: save it as UTF-8");
  }
}

/** Reads a file named relative to the workspace file; a way out of its folder is refused, also by a link. */
function readBeside(workspaceFile: string, path: string): string {
  const folder = realpathSync(dirname(resolve(workspaceFile)));
  const wanted = resolve(folder, path);
  let real: string;
  try {
    real = realpathSync(wanted);
  } catch {
    throw new Error(`there is no file ${path} beside the workspace file`);
  }
  const inside = relative(folder, real);
  if (
    path === "" ||
    isAbsolute(path) ||
    inside === ".." ||
    inside.startsWith(`..${sep}`) ||
    isAbsolute(inside)
  ) {
    throw new Error(`the file ${path} is outside the folder of the workspace file: copy it there`);
  }
  if (statSync(real).size > MAX_FILE_BYTES) throw new Error(`the file ${path} is too large to be a value`);
  return readFileSync(real, "utf8");
}
