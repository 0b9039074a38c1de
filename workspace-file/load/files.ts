/** Finds and reads the files of a workspace, within the folders that they may read. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { globSync } from "tinyglobby";
import { MAX_FILE_BYTES } from "../syntax/parse.js";
import { refuseHiddenFolder } from "../../trust/files.js";

/** Name that stands for standard input. */
export const STDIN = "-";
const YAML_FILE = /\.ya?ml$/;
/** Error for a file that cannot be read. */
export class UnreadableFile extends Error {}

/** Returns the files of a folder that form a document, without hidden files, Pulumi's files and overlays. */
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
 * Returns the overlay of a file for a stack, such as `workspace.eu.yaml` of `workspace.yaml`, if there is one.
 * @param texts texts of files that are not on disk, by absolute path
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

/** Reports whether a file, or a file of a folder, has an overlay for any stack. */
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
 * Returns the files that an `include` names, sorted by name.
 * @param texts texts of files that are not on disk, by absolute path
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

/** Reads the text of a workspace file. Throws `UnreadableFile`. */
export function readText(file: string): string {
  let size: number;
  try {
    size = statSync(file).size;
  } catch {
    throw new UnreadableFile(
      `there is no such file (looked in ${process.cwd()}): name the workspace file with -f FILE, or create one with ` +
        '"workspacectl init"',
    );
  }
  if (size > MAX_FILE_BYTES) throw tooLarge(size);
  return decode(readFileSync(file));
}

let stdin: string | undefined;

/** Reads the text of standard input once, and returns it again later. Throws `UnreadableFile`. */
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
    throw new UnreadableFile("is not UTF-8 text: save it as UTF-8");
  }
}

function tooLarge(bytes: number): UnreadableFile {
  const megabytes = (n: number) => `${(n / 1024 / 1024).toFixed(1)} MB`;
  return new UnreadableFile(
    `the file has ${megabytes(bytes)}, more than the ${megabytes(MAX_FILE_BYTES)} a workspace file may have: ` +
      `move long texts into files of their own and refer to them with \${file:path}`,
  );
}

/** Folders that a document may read: its own, those of its overlays, and those of --allow-path. */
export class Reach {
  private readonly folders: readonly string[];
  private readonly texts = new Map<string, string>();

  /** @param instead texts that replace the contents of files, by absolute path */
  constructor(
    folders: readonly string[],
    private readonly instead: ReadonlyMap<string, string> = new Map(),
  ) {
    // A folder of such texts need not exist.
    this.folders = folders.map((folder) => (existsSync(folder) ? realpathSync(folder) : resolve(folder)));
  }

  /** Reports whether the real path of a file is in one of the folders. */
  allows(file: string): boolean {
    return this.pathsTo(file).length > 0;
  }

  /** Returns the real path of a file relative to each of the folders that contain it. */
  private pathsTo(file: string): string[][] {
    // A file that does not exist yet has no real path.
    const real = existsSync(file) ? realpathSync(file) : resolve(file);
    return this.folders
      .map((folder) => relative(folder, real))
      .filter((path) => path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path))
      .map((path) => path.split(sep));
  }

  /** Reads a file given relative to another one, for `${file:path}`. Throws an Error that explains a failure. */
  textBeside(path: string, from: string): string {
    if (path === "") throw new Error("name a file: ${file:path}");
    const wanted = resolve(dirname(from), path);
    const known = this.texts.get(wanted);
    if (known !== undefined) return known;
    const outside = new Error(
      `the file ${path} is outside the folder of the workspace file: copy it there, or allow its folder with --allow-path`,
    );
    if (isAbsolute(path)) throw outside;
    const instead = this.instead.get(wanted);
    if (instead === undefined && !existsSync(wanted))
      throw new Error(`there is no file ${path} beside ${basename(from)}`);
    const [nearest] = this.pathsTo(wanted).toSorted((a, b) => a.length - b.length);
    if (nearest === undefined) throw outside;
    refuseHiddenFolder(path, nearest);
    if (isFolder(wanted)) throw new Error(`${path} is a folder: name a file in it`);
    if (existsSync(wanted) && !statSync(wanted).isFile())
      throw new Error(`${path} is not a regular file: pipes and devices are not supported`);
    if (instead === undefined && statSync(wanted).size > MAX_FILE_BYTES)
      throw new Error(`the file ${path} is too large to be a value`);
    const text = instead ?? readFileSync(wanted, "utf8");
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
