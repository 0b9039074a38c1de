/** The files of a workspace: which they are, their texts, and how far a file may reach. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { globSync } from "tinyglobby";
import { MAX_FILE_BYTES } from "../syntax/parse.js";
import { refuseHiddenFolder } from "../compose/forbidden-sources.js";

/** Name of the standard input. */
export const STDIN = "-";
const YAML_FILE = /\.ya?ml$/;
/** What cannot be read; the message says why and what to do. */
export class UnreadableFile extends Error {}

/** A folder's files of one document: not hidden ones, not Pulumi's, not overlays of others. */
export function filesOf(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => YAML_FILE.test(name) && !name.startsWith(".") && !/^Pulumi(\.|$)/.test(name))
    .toSorted();
  const stems = new Set(names.map(stem));
  const isOverlay = (name: string) => {
    const [base, stack] = splitLast(stem(name), ".");
    return stack !== "" && stems.has(base);
  };
  const files = names.filter((name) => !isOverlay(name)).map((name) => join(folder, name));
  if (files.length > 0) return files;
  throw new UnreadableFile("is a folder without a workspace file: put a *.yaml file into it");
}

/**
 * The overlay of a file for a stack, `workspace.eu.yaml` of `workspace.yaml`, if there is one.
 * @param texts files that are there without being on the disk, by absolute path
 */
export function overlayOf(
  file: string,
  stack: string,
  texts: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const name = stack.split("/").at(-1) ?? stack;
  const base = join(dirname(file), stem(file));
  return [".yaml", ".yml"]
    .map((ending) => `${base}.${name}${ending}`)
    .find((path) => existsSync(path) || texts.has(resolve(path)));
}

/** Whether a file, or one of a folder's, has an overlay for some stack. */
export function hasOverlays(name: string): boolean {
  if (name === STDIN || !existsSync(name)) return false;
  const folder = isFolder(name) ? name : dirname(name);
  const stems = isFolder(name) ? undefined : stem(name);
  return readdirSync(folder).some((file) => {
    const [base, stack] = splitLast(stem(file), ".");
    return YAML_FILE.test(file) && stack !== "" && (stems === undefined || base === stems);
  });
}

/**
 * Files that an `include` names, in the order of their names.
 * @param texts files that are there without being on the disk, by absolute path
 */
export function included(
  pattern: string,
  from: string,
  texts: ReadonlyMap<string, string> = new Map(),
): string[] {
  const folder = dirname(from);
  const named = (path: string) => join(folder, path);
  const isFile = existsSync(named(pattern))
    ? statSync(named(pattern)).isFile()
    : texts.has(resolve(folder, pattern));
  if (isFile) return [named(pattern)];
  const found = globSync([pattern], { cwd: folder, onlyFiles: true, expandDirectories: false });
  const matches = picomatch(pattern);
  const further = [...texts.keys()]
    .map((file) => relative(resolve(folder), file).split(sep).join("/"))
    .filter((path) => matches(path));
  return [...new Set([...found, ...further])].toSorted().map(named);
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The text of a workspace file. Throws `UnreadableFile`. */
export function readText(file: string): string {
  let size: number;
  try {
    size = statSync(file).size;
  } catch {
    throw new UnreadableFile(
      `there is no such file (looked in ${process.cwd()}): name the workspace file with -f FILE, or make a first one with ` +
        '"workspacectl init"',
    );
  }
  if (size > MAX_FILE_BYTES) throw tooLarge(size);
  return decode(readFileSync(file));
}

let stdin: string | undefined;

/** The text of the standard input, however often it is asked for. Throws `UnreadableFile`. */
export function readStdin(): string {
  if (stdin === undefined) {
    const bytes = readFileSync(0);
    if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes.length);
    stdin = decode(bytes);
  }
  return stdin;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile("is not a text in UTF-8: save it as UTF-8");
  }
}

function tooLarge(bytes: number): UnreadableFile {
  const megabytes = (n: number) => `${(n / 1024 / 1024).toFixed(1)} MB`;
  return new UnreadableFile(
    `the file has ${megabytes(bytes)}, more than the ${megabytes(MAX_FILE_BYTES)} a workspace file may have: ` +
      `move long texts into files of their own and refer to them with \${file:path}`,
  );
}

/** The folders that a document may read from: its own, those of overlays that were named, and what was allowed. */
export class Reach {
  private readonly folders: readonly string[];
  private readonly texts = new Map<string, string>();

  /** @param instead texts to take instead of what files hold, by absolute path */
  constructor(
    folders: readonly string[],
    private readonly instead: ReadonlyMap<string, string> = new Map(),
  ) {
    this.folders = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder));
  }

  /** Whether the real place of a file, links followed, is in one of the folders. */
  allows(file: string): boolean {
    return this.waysTo(file).length > 0;
  }

  /** The way to the real place of a file, links followed, from each of the folders that it is in. */
  private waysTo(file: string): string[][] {
    // A file that is to be written is where its folder is.
    const real = existsSync(file) ? realpathSync(file) : resolve(file);
    return this.folders
      .map((folder) => relative(folder, real))
      .filter((way) => way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
      .map((way) => way.split(sep));
  }

  /** The text of a file named relative to another, for `${file:path}`. Throws an Error that says what is wrong. */
  textBeside(path: string, from: string): string {
    if (path === "") throw new Error("name a file: ${file:path}");
    const wanted = resolve(dirname(from), path);
    const known = this.texts.get(wanted);
    if (known !== undefined) return known;
    const outside = new Error(
      `the file ${path} is outside the folder of the workspace file: copy it there, or allow its folder with --allow-path`,
    );
    if (isAbsolute(path)) throw outside;
    if (!existsSync(wanted)) throw new Error(`there is no file ${path} beside ${basename(from)}`);
    const [nearest] = this.waysTo(wanted).toSorted((a, b) => a.length - b.length);
    if (nearest === undefined) throw outside;
    refuseHiddenFolder(path, nearest);
    if (isFolder(wanted)) throw new Error(`${path} is a folder: name a file in it`);
    if (existsSync(wanted) && !statSync(wanted).isFile())
      throw new Error(`${path} is no regular file: a pipe or a device is not waited for`);
    if (statSync(wanted).size > MAX_FILE_BYTES)
      throw new Error(`the file ${path} is too large to be a value`);
    const text = this.instead.get(wanted) ?? readFileSync(wanted, "utf8");
    this.texts.set(wanted, text);
    return text;
  }
}

function stem(file: string): string {
  return basename(file, extname(file));
}

function splitLast(whole: string, separator: string): [string, string] {
  const at = whole.lastIndexOf(separator);
  return at < 0 ? [whole, ""] : [whole.slice(0, at), whole.slice(at + 1)];
}
