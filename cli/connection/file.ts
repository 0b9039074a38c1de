/** What a command has to know of a workspace file before Pulumi starts. */
import { z } from "zod";
import { guardSettings, leafValue, valueOf, type GuardSettings } from "../../workspace-file/index.js";
import {
  readDeclarations,
  readDocument,
  type LoadedFile,
  type LoadOptions,
} from "../../workspace-file/load/index.js";
import { CliError } from "../errors.js";

export interface FileFacts {
  readonly file: string;
  /** Domain of the workspace, if the file says it. */
  readonly workspace: string | undefined;
  /** Name of the connection, if the file says it. */
  readonly connection: string | undefined;
  /** Types of the declared resources; empty when only the head was read. */
  readonly types: ReadonlySet<string>;
  /** What the file says must not happen by accident. @throws {CliError} when that cannot be read */
  readonly guards: () => GuardSettings;
  /** The whole document, when more than the head was read. */
  readonly declared?: LoadedFile;
}

/**
 * Reads and checks the whole document. Values of the stack's configuration are known to Pulumi's program only: here they are
 * made up.
 * @throws {WorkspaceFileError} with all problems
 */
export function readFile(file: string, options: LoadOptions): FileFacts {
  const declared = readDeclarations(file, { ...options, mock: "config" });
  const { workspace, connection, declarations } = declared;
  return {
    file,
    declared,
    workspace,
    connection,
    guards: () => declared.guards ?? {},
    types: new Set(declarations.map(({ definition }) => definition.type)),
  };
}

/**
 * Reads only which workspace the file is about: what is in the state can be read or deleted with a broken file too.
 * @throws {CliError} when there is no such file
 */
export function readHead(file: string, options: LoadOptions = {}): FileFacts {
  const { tree, problems } = readDocument(file, { ...options, mock: true });
  const unreadable = problems.find(({ code }) => code === "unreadable");
  if (unreadable) throw new CliError(`${file}: ${unreadable.message}`);
  const word = (key: string): string | undefined => {
    const value = leafValue(tree?.entries.get(key)?.value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    file,
    workspace: word("workspace"),
    connection: word("connection"),
    guards: () => guardsIn(file, options),
    types: new Set(),
  };
}

/** Of a file that may be broken elsewhere. What nobody can read protects nothing, and is not passed over. */
function guardsIn(file: string, options: LoadOptions): GuardSettings {
  const { tree, problems } = readDocument(file, { ...options, mock: "config" });
  const given = tree?.entries.get("guards")?.value;
  const parsed = guardSettings.safeParse(given === undefined ? {} : valueOf(given));
  if (tree && parsed.success) return parsed.data;
  const why = parsed.error
    ? z.prettifyError(parsed.error)
    : problems.map(({ message }) => message).join("; ");
  throw new CliError(`the guards of ${file} cannot be read: ${why}. Mend the file, then run it again`);
}
