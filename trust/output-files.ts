/** Writes files: a result inside a checkout is never written through a link to the outside, and never replaces the target of a link. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resolveRealPath } from "./checkout.js";
import {
  findFolderUnless,
  openFolder,
  refuseEscape,
  resolveOpenFile,
  type Route,
  traceRoute,
} from "./checkout-files.js";
import { TrustError } from "./errors.js";

export interface OutputRules {
  /** The caller has named the file, so that a link which is part of no checkout is followed. */
  readonly named?: boolean | undefined;
  /** Permissions of the file. Default: the permissions of the file that is replaced. */
  readonly mode?: number | undefined;
}

/**
 * Writes a file as a whole: a concurrent reader gets the old text or the new one.
 * @throws {TrustError} when a link is in the way, or the error of the system
 */
export function writeFile(path: string, text: string | Uint8Array, rules: OutputRules = {}): void {
  const { target, before, checkouts } = resolveTarget(path, rules.named);
  if (before !== undefined && !before.isFile()) return writeSpecial(path, target, before, checkouts, text);
  const folder = dirname(target);
  const temporary = join(folder, `.tmp-${randomBytes(8).toString("hex")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const fd = openSync(temporary, flags, rules.mode ?? 0o666);
  try {
    try {
      if (dirname(resolveOpenFile(fd, temporary)) !== folder)
        throw new TrustError(
          "path",
          `the folder of ${path} was replaced while the file was written`,
          "find out which user or program changes files there, or choose a folder in which only this user can write",
        );
      writeFileSync(fd, text);
      if (before !== undefined) keepOwner(fd, before);
      const mode = rules.mode ?? before?.mode;
      if (mode !== undefined) fchmodSync(fd, mode & 0o7777);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Creates a file, and leaves one that exists as it is. */
export function writeOnce(path: string, text: string, rules: OutputRules = {}): void {
  if (resolveTarget(path, rules.named).before === undefined) writeFile(path, text, rules);
}

/** Removes a file, if there is one. Of a link, only the link itself is removed, not its target. */
export function removeFile(path: string): void {
  const folder = dirname(resolve(path));
  rmSync(join(checkFolder(folder, folder).real, basename(path)), { force: true });
}

/**
 * Makes a folder with all its parents.
 * @param mode permissions of new folders
 * @returns its real path
 * @throws {TrustError} when a link in it points outside of its checkout
 */
export function makeFolder(path: string, { named, mode }: OutputRules = {}): string {
  const { real } = checkFolder(path, findFolderUnless(named, path));
  mkdirSync(real, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  // Somebody may have put a link there in the meantime.
  if (resolveRealPath(real) === real) return real;
  throw new TrustError(
    "path",
    `${path} was replaced by a link while it was made`,
    "find out which user or program changes files there, or choose a folder in which only this user can write",
  );
}

/**
 * Makes a folder that only its user may enter, such as that of a state. Neither it nor anything in it may be a link: programs that
 * write there would follow it.
 * @returns its real path
 */
export function makePrivateFolder(path: string): string {
  refuseLinkedFolder(path);
  const folder = makeFolder(path, { mode: 0o700 });
  const fd = openSync(
    folder,
    constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    fchmodSync(fd, 0o700);
  } catch {
    // The folder belongs to another user, who decides on its permissions.
  } finally {
    closeSync(fd);
  }
  return folder;
}

/**
 * Refuses a folder of a state that is a link, or contains one. It need not exist.
 * @throws {TrustError}
 */
export function refuseLinkedFolder(path: string): void {
  const found = lstatSync(resolve(path), { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw linkInPrivate(path);
  refuseLinksIn(openFolder(path));
}

function refuseLinksIn(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) throw linkInPrivate(path);
    if (entry.isDirectory()) refuseLinksIn(path);
  }
}

function linkInPrivate(path: string): TrustError {
  return new TrustError(
    "path",
    `${path} is a link, so what is written there would go to another file: nothing was written`,
    "remove the link",
  );
}

interface Target {
  /** Real path of the file. */
  readonly target: string;
  /** The file that is there. */
  readonly before: Stats | undefined;
  readonly checkouts: readonly string[];
}

function resolveTarget(path: string, named = false): Target {
  const folder = dirname(resolve(path));
  const { real, checkouts } = checkFolder(folder, named ? undefined : folder);
  const target = join(real, basename(path));
  const before = lstatSync(target, { throwIfNoEntry: false });
  if (before?.isSymbolicLink() !== true) return { target, before, checkouts };
  if (checkouts.length > 0)
    throw new TrustError(
      "path",
      `${path} is a link, and nothing was written, because that would replace the link or another file`,
      "remove the link, or pass the path of the file to which it leads",
    );
  return resolveTarget(resolveRealPath(target), true);
}

function checkFolder(path: string, otherwise: string | undefined): Route {
  const route = traceRoute(path, otherwise);
  refuseEscape(path, route.real, route.checkouts, undefined);
  return route;
}

/** Writes to a pipe or a device, which cannot be replaced. */
function writeSpecial(
  path: string,
  target: string,
  before: Stats,
  checkouts: readonly string[],
  text: string | Uint8Array,
): void {
  if (before.isDirectory())
    throw new TrustError(
      "path",
      `${path} is a folder, but a file is expected`,
      "write the path of a file in it",
    );
  if (checkouts.length > 0)
    throw new TrustError(
      "path",
      `${path} is not a regular file`,
      "pass the path of a regular file: pipes and devices are not supported",
    );
  writeFileSync(target, text, { flag: "w" });
}

/** Keeps the owner of a file, as far as the system allows it. */
function keepOwner(fd: number, before: Stats): void {
  const own = fstatSync(fd);
  if (own.uid === before.uid && own.gid === before.gid) return;
  try {
    fchownSync(fd, before.uid, before.gid);
  } catch {
    // Only an administrator may give files away.
  }
}
