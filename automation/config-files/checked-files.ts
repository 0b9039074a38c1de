/** Reads files of JSON and YAML, and checks them with a schema: those of an earlier command, and those that a user writes next to the workspace file. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { refuseDeepJson } from "../../client/shallow-json.js";
import {
  describeInvalid,
  listKeysAt,
  listProblems,
  type Problem,
  type PropertyPath,
} from "../../resources/definition/problems.js";
import { formatProblemLine } from "../../resources/definition/validate.js";
import { readText, readTextIfPresent } from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { parseFailure, parseJson } from "../../trust/quoting.js";
import {
  createDiagnostic,
  getPositionAt,
  getValue,
  parseYaml,
  type Tree,
} from "../../workspace-file/index.js";
import { WorkspaceFileError } from "../../workspace-file/load/load.js";
import { AutomationError } from "../errors.js";

/** What a file has to be, and what to do if it is something else. */
interface ExpectedFile {
  /** Such as "a report of workspacectl fleet". */
  readonly what: string;
  readonly remedy: string;
  /** The user has named the file. */
  readonly named?: boolean;
}

/** Reads a file that the user has named. @throws {AutomationError} when it cannot be read */
export function readNamedText(file: string, remedy: string): string {
  try {
    return readText(file, { named: true });
  } catch (error) {
    // It names the file, and says what to do about it.
    if (error instanceof TrustError) throw error;
    throw new AutomationError(`${file} cannot be read: ${parseFailure(error)}`, remedy);
  }
}

/** @throws {AutomationError} when the file cannot be read, or is something else */
export function readJsonFile<S extends z.ZodType>(
  schema: S,
  file: string,
  expected: ExpectedFile,
): z.infer<S> {
  return parseJsonFile(schema, file, readNamedText(file, expected.remedy), expected);
}

/** @throws {AutomationError} when there is a file, and it is something else */
export function readJsonFileIfPresent<S extends z.ZodType>(
  schema: S,
  file: string,
  expected: ExpectedFile,
): z.infer<S> | undefined {
  const text = readTextIfPresent(file, { named: expected.named ?? false });
  return text === undefined ? undefined : parseJsonFile(schema, file, text, expected);
}

/** @throws {AutomationError} that names the first problem */
export function parseJsonFile<S extends z.ZodType>(
  schema: S,
  file: string,
  text: string,
  { what, remedy }: ExpectedFile,
): z.infer<S> {
  const refusal = (why: string) => new AutomationError(`${file} is not ${what}: ${why}`, remedy);
  let value: unknown;
  try {
    refuseDeepJson(text);
    value = parseJson(text);
  } catch (error) {
    throw refusal((error as Error).message);
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [problem] = listProblems(parsed.error);
  throw refusal(`${describeInvalid(parsed.error)}${formatOtherVersion(value, problem)}`);
}

function formatOtherVersion(value: unknown, problem: Problem | undefined): string {
  const [name = ""] = problem?.path ?? [];
  if (name !== "version" && name !== "formatVersion") return "";
  const { [name]: version } = value as Readonly<Record<string, unknown>>;
  return typeof version === "number" ? `, and is ${version}: another release has written it` : "";
}

/**
 * Refuses a file that says two things of one name: two readers of it could each take another one.
 * @param names of the parts of a list, each of which may be there once
 * @throws {AutomationError}
 */
export function refuseRepeated(file: string, names: readonly string[], remedy: string): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new AutomationError(
      `${file} contains ${repeated} more than once, which workspacectl never writes`,
      remedy,
    );
}

/** Parses a text that a machine has written, and that may be cut. @returns undefined for what is no JSON */
export function parseJsonIfValid(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "") as unknown;
  } catch {
    return undefined;
  }
}

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
  const found = listProblems(parsed.error, (path) => listKeysAt(schema, path)).map((problem) => {
    const { path, atKey, code } = problem;
    const message = atKey ? problem.message : formatProblemLine(problem);
    const place = getPositionAt(tree, path, atKey);
    return createDiagnostic(place, { code, message: `${message}${more(tree, path)}` }, path);
  });
  throw new WorkspaceFileError(file, found, source.text);
}

/** Returns the path of a file with this name next to a workspace file, or in a folder of workspace files. */
export function locateBeside(workspaceFile: string, name: string): string {
  const isFolder = existsSync(workspaceFile) && statSync(workspaceFile).isDirectory();
  return join(isFolder ? workspaceFile : dirname(workspaceFile), name);
}
