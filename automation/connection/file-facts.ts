/** How a command reads a workspace file, and the facts about it that it needs before Pulumi starts. */
import type { z } from "zod";
import { engines, type ProviderEngine } from "../../provider/index.js";
import { problemRemedies } from "../../resources/definition/problem-codes.js";
import { describeInvalid } from "../../resources/definition/problems.js";
import {
  documentHead,
  findLeafValue,
  formatDiagnostic,
  getValue,
  type GuardSettings,
  listPlaceholdersInAddress,
} from "../../workspace-file/index.js";
import {
  type LoadedFile,
  type LoadOptions,
  readDeclarations,
  readDocument,
  stackNamedIn,
} from "../../workspace-file/load/load.js";
import type { Owns } from "../../workspace-file/load/owns.js";
import { AutomationError } from "../errors.js";
import type { Port } from "../port.js";

export interface FileFacts {
  readonly file: string;
  /** Domain of the workspace, if the file names it. */
  readonly workspace: string | undefined;
  /** Name of the connection, if the file names it. */
  readonly connection: string | undefined;
  /** Engine of the resources, if the file sets it. */
  readonly engine: ProviderEngine | undefined;
  /** Types of the declared resources. Empty when only the head was read. */
  readonly types: ReadonlySet<string>;
  /** Returns the settings of the guards. @throws {AutomationError} when they cannot be read */
  readonly guards: () => GuardSettings;
  /** Returns the patterns of what the file owns. @throws {AutomationError} when they cannot be read */
  readonly owns: () => Owns;
  /** Declarations, when the whole document was read. */
  readonly declared?: LoadedFile;
}

/**
 * Reads and checks the whole document, with mock values for the stack's configuration, which only Pulumi's program knows.
 * @throws {WorkspaceFileError} with all problems
 */
export function readFile(file: string, options: LoadOptions): FileFacts {
  const declared = readDeclarations(file, { ...options, mock: "config", secretsLater: true });
  const { workspace, connection, engine, declarations } = declared;
  return {
    file,
    declared,
    workspace,
    connection,
    engine,
    guards: () => declared.guards ?? {},
    owns: () => declared.owns,
    types: new Set(declarations.map(({ definition }) => definition.type)),
  };
}

/**
 * Reads only the head of the file, because objects of the state can be read or deleted with an invalid file too.
 * @throws {AutomationError} when there is no such file
 */
export function readHead(file: string, options: LoadOptions = {}): FileFacts {
  const { tree, problems } = readDocument(file, { ...options, mock: true });
  const unreadable = problems.find(({ code }) => code === "unreadable");
  if (unreadable)
    throw new AutomationError(
      `${file}: ${unreadable.message}`,
      unreadable.message.includes(": ") ? [] : problemRemedies.unreadable,
      {
        code: unreadable.code,
      },
    );
  const [refused] = tree ? listPlaceholdersInAddress(tree) : [];
  if (refused)
    throw new AutomationError(formatDiagnostic(refused.problem, ""), problemRemedies["secret-name"], {
      code: refused.problem.code,
    });
  const word = (key: string): string | undefined => {
    const value = findLeafValue(tree?.entries.get(key)?.value);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    file,
    workspace: word("workspace"),
    connection: word("connection"),
    engine: engines.find((engine) => engine === word("engine")),
    guards: () => readHeadPart("guards", file, options) ?? {},
    owns: () => readHeadPart("owns", file, options),
    types: new Set(),
  };
}

/** Reads a part of a file that may be invalid elsewhere. A part that cannot be read is an error. */
function readHeadPart<P extends "guards" | "owns">(
  part: P,
  file: string,
  options: LoadOptions,
): z.infer<(typeof documentHead)[P]> {
  const { tree, problems } = readDocument(file, { ...options, mock: "config" });
  const given = tree?.entries.get(part)?.value;
  const parsed = documentHead[part].safeParse(given === undefined ? undefined : getValue(given));
  if (tree && parsed.success) return parsed.data as z.infer<(typeof documentHead)[P]>;
  const why = parsed.error
    ? describeInvalid(parsed.error)
    : problems.map(({ message }) => message).join("; ");
  throw new AutomationError(
    `the part "${part}:" of ${file} is not valid: ${why}`,
    "Correct the file, and run the command again",
  );
}

/** The options of a command that say how it reads a workspace file. */
interface FileOptions {
  readonly file: string;
  readonly stack?: string;
  readonly overlay?: readonly string[];
  readonly allowPath?: readonly string[];
  readonly offline?: boolean;
  /** Texts that replace the content of files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** How a file is read for a stack, whose overlay is applied. */
export function toLoadOptions(
  { overlay, allowPath, texts }: Omit<FileOptions, "file">,
  stack: string | undefined,
  { env }: Pick<Port, "env">,
): LoadOptions {
  return { env, stack, overlays: overlay, allowPaths: allowPath, texts };
}

/** How a command that opens no stack reads its file. */
export function readOptions(options: FileOptions, io: Port): LoadOptions {
  // Only Pulumi knows the stack's configuration.
  return { ...toLoadOptions(options, stackToRead(options, io), io), mock: options.offline ? true : "config" };
}

/** Returns the stack whose overlay is applied, in the order in which `up` chooses it, as far as that is known without Pulumi. */
export function stackToRead({ file, stack, allowPath }: FileOptions, { env }: Port): string | undefined {
  if (stack !== undefined) return stack;
  if (env["PULUMI_STACK"]) return env["PULUMI_STACK"];
  // Standard input has no overlays.
  if (file === "-") return undefined;
  try {
    return stackNamedIn(file, { allowPaths: allowPath });
  } catch {
    // Reading the whole file reports all its problems.
    return undefined;
  }
}
