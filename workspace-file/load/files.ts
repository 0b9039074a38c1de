/** Finds and reads the files of a workspace, within the folders that they may read. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import {
  type FileRules,
  listFolder,
  OversizedFile,
  ReadableFolders,
  readBytes,
} from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { parseFailure } from "../../trust/quoting.js";
import type { Diagnostic } from "../syntax/diagnostics.js";
import { MAX_FILE_BYTES } from "../syntax/parse.js";
import { findMatchingFiles } from "./matching-files.js";
import { ModuleError } from "./module.js";

/** Name that stands for standard input. */
export const STDIN = "-";
const YAML_FILE = /\.ya?ml$/;
/** `workspace.eu.yaml`, the overlay of `workspace` for the stack `eu`. */
const OVERLAY = /^(.+)\.[^.]+\.ya?ml$/;
/** Error for a file that cannot be read. */
export class UnreadableFile extends Error {}

/** Describes why a file cannot be read. */
export function describeUnreadable(file: string, error: unknown): Pick<Diagnostic, "place" | "message"> {
  if (error instanceof ModuleError) return { place: error.place, message: error.reason };
  const { message } = error as Error;
  const place = { file, line: 1, column: 1 };
  if (error instanceof UnreadableFile) return { place, message };
  // The place names the file already.
  if (error instanceof TrustError) return { place, message: message.replace(`${file} `, "") };
  const why = "syscall" in (error as Error) ? parseFailure(error) : message;
  return { place, message: `cannot be read: ${why}` };
}

/** Whoever reads the document says why a file cannot be read. */
function readIfAllowed(path: string, rules: FileRules): string {
  try {
    return readBytes(path, { ...rules, most: MAX_FILE_BYTES }).toString();
  } catch {
    return "";
  }
}

/** The file that `export --people` reads has numbers where a workspace file has addresses. */
function isPeopleFile(path: string, rules: FileRules): boolean {
  if (!/^people\.ya?ml$/.test(basename(path))) return false;
  const text = readIfAllowed(path, rules);
  return /^members:[^\n]*\n\s+(?:#[^\n]*\n\s+)*\d+:/m.test(text);
}

/** Divides the files of a folder into documents and overlays of these. Hidden files, Pulumi's and that of the people are neither. */
function divideFiles(folder: string, rules: FileRules): Record<"documents" | "overlays", string[]> {
  const names = listFolder(folder, rules).filter(
    (name) =>
      YAML_FILE.test(name) &&
      !name.startsWith(".") &&
      !name.startsWith("Pulumi.") &&
      !isPeopleFile(join(folder, name), rules),
  );
  const stems = new Set(names.map(stripExtension));
  const isOverlay = (name: string) => stems.has(OVERLAY.exec(name)?.[1] ?? "");
  return { documents: names.filter((name) => !isOverlay(name)), overlays: names.filter(isOverlay) };
}

/** Returns the files of a folder that form a document; none in that of a program. */
export function listDocumentsIn(folder: string, rules: FileRules = { named: true }): string[] {
  return divideFiles(folder, rules).documents.map((name) => join(folder, name));
}

/** Returns the files of a folder that form a document. @throws {UnreadableFile} when there is none */
export function listFilesOf(folder: string, rules?: FileRules): string[] {
  const documents = listDocumentsIn(folder, rules);
  if (documents.length > 0) return documents;
  throw new UnreadableFile("is a folder without a workspace file: put a *.yaml file into it");
}

/** A stack may be named organization/project/stack. */
export function getShortName(stack: string): string {
  return stack.slice(stack.lastIndexOf("/") + 1);
}

/**
 * Returns the overlay of a file for a stack, such as `workspace.eu.yaml` of `workspace.yaml`, if there is one.
 * @param texts texts of files that are not on disk, by absolute path
 */
export function findOverlay(
  file: string,
  stack: string,
  texts: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const name = getShortName(stack);
  const base = join(dirname(file), stripExtension(file));
  return [".yaml", ".yml"]
    .map((ending) => `${base}.${name}${ending}`)
    .find((path) => existsSync(path) || texts.has(resolve(path)));
}

/** Reports whether a file, or a file of a folder, has an overlay for any stack. */
export function hasOverlays(name: string): boolean {
  if (!existsSync(name)) return false;
  if (isFolder(name)) return divideFiles(name, { named: true }).overlays.length > 0;
  const stem = stripExtension(name);
  return listFolder(dirname(name), { named: true }).some((file) => OVERLAY.exec(file)?.[1] === stem);
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Reads the text of a workspace file. Throws `UnreadableFile`, or a `TrustError` for a file that may not be read. */
export function readDocumentText(file: string, rules: FileRules): string {
  if (existsSync(file)) return decode(readLimited(() => readBytes(file, { ...rules, most: MAX_FILE_BYTES })));
  const above = findAbove(file);
  throw new UnreadableFile(
    `there is no such file (looked in ${process.cwd()}): ` +
      (above === undefined
        ? 'pass the workspace file with -f FILE, or create one with "workspacectl init"'
        : `there is one above, so run the command there, or pass -f ${above}`),
  );
}

/** Returns the file of that name in the next folder above that has one, as far as the repository goes. It is named, and never read. */
function findAbove(name: string): string | undefined {
  if (name !== basename(name)) return undefined;
  let [folder, path] = [process.cwd(), name];
  while (!existsSync(join(folder, ".git")) && folder !== dirname(folder)) {
    [folder, path] = [dirname(folder), join("..", path)];
    if (existsSync(join(folder, name))) return path;
  }
  return undefined;
}

function readLimited(read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    throw error instanceof OversizedFile ? createTooLargeError(error.bytes) : error;
  }
}

let stdin: string | undefined;

/** Reads the text of standard input once, and returns it again later. Throws `UnreadableFile`. */
export function readStdin(): string {
  if (stdin === undefined) {
    const bytes = readFileSync(0);
    if (bytes.length > MAX_FILE_BYTES) throw createTooLargeError(bytes.length);
    stdin = decode(bytes);
  }
  return stdin;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile("is not UTF-8 text: save it as UTF-8");
  }
}

function createTooLargeError(bytes: number): UnreadableFile {
  const megabytes = (n: number) => `${(n / 1024 / 1024).toFixed(1)} MB`;
  return new UnreadableFile(
    `the file has ${megabytes(bytes)}, more than the ${megabytes(MAX_FILE_BYTES)} a workspace file may have: ` +
      `move long strings into files of their own and refer to them with \${file:path}`,
  );
}

/** Folders that a document may read: its own, those of its overlays, and those of --allow-path. */
export class Reach {
  private readonly folders: ReadableFolders;
  private readonly texts = new Map<string, string>();

  /**
   * @param allowed folders and files of --allow-path
   * @param instead texts that replace the contents of files, by absolute path
   */
  constructor(
    folders: readonly string[],
    allowed: readonly string[],
    private readonly instead: ReadonlyMap<string, string> = new Map(),
  ) {
    this.folders = new ReadableFolders(folders, allowed);
  }

  /** The files that were read for `${file:path}`, by absolute path. */
  get valueFiles(): string[] {
    return [...this.texts.keys()];
  }

  /** Returns the files that an `include` names, sorted by name. Throws a `TrustError` for a file that may not be read. */
  included(pattern: string, from: string): string[] {
    const folder = dirname(from);
    const named = (path: string) => join(folder, path);
    const isFile = existsSync(named(pattern))
      ? statSync(named(pattern)).isFile()
      : this.instead.has(resolve(folder, pattern));
    const files = isFile
      ? [named(pattern)]
      : findMatchingFiles(pattern, folder, this.folders, this.instead.keys()).map(named);
    for (const file of files) this.folders.check(file, pattern);
    return files;
  }

  /** Reads a document that is named in a file. Throws as `readText` does. */
  readIncluded(file: string): string {
    return decode(readLimited(() => this.folders.read(file, file, MAX_FILE_BYTES)));
  }

  /** Reads a file given relative to another one, for `${file:path}`. Throws an Error that explains a failure. */
  textBeside(path: string, from: string): string {
    if (path === "") throw new Error("this placeholder needs the path of a file, such as ${file:deploy.sh}");
    const wanted = resolve(dirname(from), path);
    const known = this.texts.get(wanted);
    if (known !== undefined) return known;
    const shown = `the file ${path}`;
    if (isAbsolute(path)) throw this.folders.createOutsideError(path, shown);
    const instead = this.instead.get(wanted);
    if (instead === undefined && !existsSync(wanted))
      throw new Error(
        `there is no file ${path}, seen from the folder of ${basename(from)}: correct the path, or create the file`,
      );
    this.folders.check(wanted, shown);
    const text = instead ?? this.valueOf(wanted, path);
    this.texts.set(wanted, text);
    return text;
  }

  private valueOf(file: string, path: string): string {
    try {
      return this.folders.read(file, path, MAX_FILE_BYTES).toString("utf8");
    } catch (error) {
      if (error instanceof OversizedFile)
        throw new Error(
          `the file ${path} is too large to be a value of the workspace file: use a smaller one`,
        );
      throw error;
    }
  }
}

function stripExtension(file: string): string {
  return basename(file, extname(file));
}
