/** What a command has to know of a workspace file before Pulumi starts. */
import { readFileSync } from "node:fs";
import { YamlFile } from "../../schema/index.js";
import { readDeclarations } from "../../sdk/nodejs/load/index.js";
import { CliError } from "../errors.js";

export interface FileFacts {
  readonly file: string;
  /** Domain of the workspace, if the file says it. */
  readonly workspace: string | undefined;
  /** Name of the connection, if the file says it. */
  readonly connection: string | undefined;
  /** Types of the declared resources; empty when only the head was read. */
  readonly types: ReadonlySet<string>;
}

/**
 * Reads and checks the whole file.
 * @throws {WorkspaceFileError} with all problems
 */
export function readFile(file: string, env: NodeJS.ProcessEnv): FileFacts {
  const { workspace, connection, declarations } = readDeclarations(file, { env });
  return {
    file,
    workspace,
    connection,
    types: new Set(declarations.map(({ definition }) => definition.type)),
  };
}

/** Reads only which workspace the file is about: what is in the state can be read or deleted with a broken file too. */
export function readHead(file: string): FileFacts {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CliError(
      `there is no file ${file} (looked in ${process.cwd()}): name the workspace file with -f FILE`,
    );
  }
  const parsed = new YamlFile(file, text).toValue();
  const head: unknown = "value" in parsed ? parsed.value : undefined;
  const word = (key: string): string | undefined => {
    const value: unknown =
      typeof head === "object" && head !== null ? (head as Record<string, unknown>)[key] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { file, workspace: word("workspace"), connection: word("connection"), types: new Set() };
}
