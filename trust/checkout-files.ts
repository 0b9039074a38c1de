/**
 * Reads files that a checkout contains or names. No link is followed out of its checkout, and none to what
 * belongs to a tool. What counts is the file that was opened, so that nothing can be swapped between the check and the use.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import {
  findCheckoutRoot,
  isAtOrBelow,
  isRepository,
  resolveRealPath,
  splitPath,
  traceWayTo,
} from "./checkout.js";
import { TrustError } from "./errors.js";

export interface FileRules {
  /** The caller has named the file, so that a link which is part of no checkout may lead anywhere. */
  readonly named?: boolean | undefined;
  /** Folders and files that the caller allows besides (`--allow-path`). */
  readonly allowed?: readonly string[] | undefined;
  /** Maximum size in bytes. */
  readonly most?: number | undefined;
}

/** Error for a file that is larger than it may be. */
export class OversizedFile extends Error {
  constructor(readonly bytes: number) {
    super(`has ${bytes} bytes, which is too much`);
  }
}

/**
 * Reads a file that the caller names, or that lies where it usually lies.
 * @throws {TrustError} when a link points outside of its checkout, {OversizedFile}, or the error of the system
 */
export function readBytes(path: string, rules: FileRules = {}): Buffer {
  const { real, checkouts } = traceRoute(path, findFolderUnless(rules.named, path));
  // Outside every checkout, the caller may name a pipe, as in `-f <(command)`.
  if (checkouts.length === 0 && !statSync(path).isFile()) return readFileSync(path);
  const check = (to: string) => refuseEscape(path, to, checkouts, rules.allowed);
  // Opening a device can change its state, so where the path leads is checked before, too.
  check(real);
  return readOpen(path, check, rules.most);
}

/** Reads a text like `readBytes`. */
export function readText(path: string, rules?: FileRules): string {
  return readBytes(path, rules).toString("utf8");
}

/** Reads a text like `readBytes`; undefined when there is no such file. */
export function readTextIfPresent(path: string, rules?: FileRules): string | undefined {
  return existsSync(path) ? readText(path, rules) : undefined;
}

/**
 * Returns the real path of a folder in which files are looked for.
 * @throws {TrustError} when a link points outside of its checkout
 */
export function openFolder(path: string, { named, allowed }: FileRules = {}): string {
  const { real, checkouts } = traceRoute(path, findFolderUnless(named, path));
  refuseEscape(path, real, checkouts, allowed);
  return real;
}

/** Returns the names in a folder, in alphabetical order. */
export function listFolder(path: string, rules?: FileRules): string[] {
  return readdirSync(openFolder(path, rules)).toSorted();
}

/**
 * Checks a path that a file names for a command, as a fleet does: it has to be in the file's checkout, and not hidden there. Without
 * version control, that is the working directory, or else the file's own folder.
 * @param written the path as the file says it
 * @throws {TrustError}
 */
export function refuseOutsideCheckout(path: string, written: string, namedIn: string): void {
  const folder = resolveRealPath(dirname(namedIn));
  const { checkouts } = traceRoute(folder, folder);
  const root = checkouts.findLast(isRepository) ?? checkouts[0] ?? folder;
  const routes = [root, folder].flatMap((from) => {
    const steps = listStepsBelow(from, resolveRealPath(path));
    return steps === undefined ? [] : [steps];
  });
  if (routes.some((steps) => listHiddenSteps(steps).length === 0)) return;
  throw new TrustError(
    "path",
    routes.length === 0
      ? `${namedIn} names ${written}, which is outside its checkout (${root})`
      : `${namedIn} names ${written}, which is hidden or in a hidden folder (its name begins with a dot), and such files are not read`,
    routes.length === 0
      ? "move it into the checkout, and correct the path"
      : "move it to a folder without a dot at its beginning, and correct the path",
  );
}

/** The folders from which the content of a file may name other files. */
export class ReadableFolders {
  private readonly own: readonly string[];
  private readonly allowed: readonly string[];

  /** @param allowed folders and files of `--allow-path` */
  constructor(own: readonly string[], allowed: readonly string[] = []) {
    this.allowed = allowed.map(resolveRealPath);
    // A folder of files that are only in memory need not exist.
    this.own = own.map((path) =>
      existsSync(path) ? openFolder(path, { named: true, allowed }) : resolveRealPath(path),
    );
  }

  /**
   * Checks where a path leads.
   * @param written the path as the file says it
   * @param folder what would have to be allowed, by default the folder of the file
   * @throws {TrustError} when it is outside of the folders, or is a hidden file or folder
   */
  check(path: string, written: string, folder?: string): void {
    this.refuse(resolveRealPath(path), written, folder && resolveRealPath(folder));
  }

  createOutsideError(path: string, written: string, folder = dirname(path)): TrustError {
    return new TrustError(
      "path",
      `${written} is not read, because its path is ${path}, outside the folder of the workspace file (${this.own.join(", ")})`,
      `copy it into that folder, and correct the path here. Or allow it: --allow-path ${folder} (in a fleet: allowPaths of the fleet file, for folders of the checkout)`,
    );
  }

  /** Reads a file. Throws as `check` does, and what `readBytes` throws. */
  read(path: string, written: string, most?: number): Buffer {
    this.check(path, written);
    return readOpen(path, (to) => this.refuse(to, written), most, written);
  }

  private refuse(real: string, written: string, folder?: string): void {
    const routes = [...this.own, ...this.allowed].flatMap((folder) => {
      const steps = listStepsBelow(folder, real);
      return steps === undefined ? [] : [steps];
    });
    if (routes.length === 0) throw this.createOutsideError(real, written, folder);
    const [nearest = []] = routes.toSorted((a, b) => listHiddenSteps(a).length - listHiddenSteps(b).length);
    const [hidden] = listHiddenSteps(nearest);
    if (hidden === undefined) return;
    const isFolder = hidden !== nearest.at(-1);
    throw new TrustError(
      "path",
      isFolder
        ? `${written} is not read, because it is in the hidden folder ${hidden}, which may contain credentials`
        : `${written} is not read, because it is a hidden file, which may contain credentials`,
      isFolder
        ? `copy it next to the workspace file, and correct the path there, or add --allow-path ${real.slice(0, real.lastIndexOf(`${sep}${hidden}${sep}`) + hidden.length + 1)}`
        : `copy it under a name without the dot at its beginning, and correct the path, or add --allow-path ${real}`,
    );
  }
}

/** Opens a path without following a FIFO into a wait, checks the file that was opened, and reads it. */
function readOpen(path: string, check: (real: string) => void, most = Infinity, shown = path): Buffer {
  // Windows has neither pipes in folders nor this flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    check(resolveOpenFile(fd, path));
    const stats = fstatSync(fd);
    if (stats.isDirectory())
      throw new TrustError(
        "path",
        `${shown} is a folder, but a file is expected`,
        "write the path of a file in it",
      );
    if (!stats.isFile())
      throw new TrustError(
        "path",
        `${shown} is not a regular file`,
        "pass the path of a regular file: pipes and devices are not supported",
      );
    if (stats.size > most) throw new OversizedFile(stats.size);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Returns where an open file is. */
export function resolveOpenFile(fd: number, path: string): string {
  try {
    const real = readlinkSync(`/proc/self/fd/${fd}`);
    if (isAbsolute(real)) return real;
  } catch {
    // Only Linux has this folder.
  }
  const real = realpathSync.native(path);
  const [opened, there] = [fstatSync(fd, { bigint: true }), lstatSync(real, { bigint: true })];
  if (opened.dev === there.dev && opened.ino === there.ino) return real;
  throw new TrustError(
    "path",
    `${path} was replaced by another file while it was opened`,
    "run the command again",
  );
}

/** Where a path leads. */
export interface Route {
  /** The path with all links followed, as far as it exists. */
  readonly real: string;
  /** The checkouts in which a step of it lies. */
  readonly checkouts: readonly string[];
}

/**
 * Finds the checkouts on the way to a file.
 * @param otherwise the folder that counts as a checkout if there is none
 */
export function traceRoute(path: string, otherwise: string | undefined): Route {
  const { steps: places, ends } = traceWayTo(path);
  if (!ends)
    throw new TrustError(
      "path",
      `${path} leads through more than 40 symbolic links`,
      "pass the path of the file to which they lead",
    );
  const [own, home] = [findCheckoutRoot(process.cwd()), resolveRealPath(homedir())];
  const isCheckout = (at: string) => at !== home && at !== dirname(at) && (at === own || isRepository(at));
  const checkouts = new Set(places.filter(isCheckout));
  if (checkouts.size === 0 && otherwise !== undefined) checkouts.add(otherwise);
  return { real: resolveRealPath(path), checkouts: [...checkouts].map(resolveRealPath) };
}

/** @throws {TrustError} when a path is outside of a checkout, or is a hidden file that the path does not name itself */
export function refuseEscape(
  path: string,
  real: string,
  checkouts: readonly string[],
  allowed: readonly string[] | undefined,
): void {
  if (allowed?.some((one) => listStepsBelow(resolveRealPath(one), real)?.some(isHidden) === false)) return;
  const remedy =
    "replace the link with a copy of that file, or pass the path of the file itself" +
    (allowed === undefined ? "" : ", or add --allow-path FOLDER with its folder");
  const named = splitPath(resolve(path));
  for (const root of checkouts) {
    const steps = listStepsBelow(root, real);
    if (steps === undefined)
      throw new TrustError(
        "path",
        `${path} is not read, because it is a link to ${real}, which is outside of ${root}`,
        remedy,
      );
    const hidden = steps.find((step) => isHidden(step) && !named.includes(step));
    if (hidden !== undefined)
      throw new TrustError(
        "path",
        `${path} is not read, because it is a link to a hidden file, or to one in a hidden folder (${hidden}), which may contain credentials`,
        remedy,
      );
  }
}

/** Unless the caller has named a path, it is part of a checkout: at least of the folder in which it lies. */
export function findFolderUnless(named: boolean | undefined, path: string): string | undefined {
  return named ? undefined : dirname(resolve(path));
}

/** Returns the steps from a folder to a path in it; undefined when the path is not in it. */
function listStepsBelow(folder: string, path: string): string[] | undefined {
  return isAtOrBelow(folder, path) ? splitPath(relative(folder, path)) : undefined;
}

function listHiddenSteps(steps: readonly string[]): string[] {
  return steps.filter(isHidden);
}

/** Whether a name is hidden. Names such as `..data` are those of mounted volumes. */
function isHidden(name: string): boolean {
  return /^\.[^.]/.test(name);
}
