/** Which files belong to a checkout, so that the author of a pull request may have written them. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";

/**
 * Returns the folders with a `.git` at and above a folder, the nearest first. A home folder under version control, or what is around
 * it, is no repository of a clone in it; but it is one of what lies in no clone, because a job may have its home in its checkout.
 */
function findRepositoriesAround(folder: string): string[] {
  const found: string[] = [];
  for (let at = resolveRealPath(folder); ; at = dirname(at)) {
    if (isRepository(at) && !(isAtOrAboveHome(at) && found.some(isClone))) found.push(at);
    if (at === dirname(at)) return found;
  }
}

/** Returns the checkout that contains a folder: the nearest repository, else the folder itself. */
export function findCheckoutRoot(folder: string): string {
  return findRepositoriesAround(folder)[0] ?? resolveRealPath(folder);
}

/**
 * Returns the checkouts from which nothing may be run: the outermost repositories around some folders, because the author of a change
 * may turn any folder into a submodule. A folder without version control is a checkout, unless the user's home lies in it.
 */
export function findCheckouts(...folders: readonly string[]): readonly string[] {
  const roots = folders.flatMap((folder) => {
    const start = resolveRealPath(folder);
    return findRepositoriesAround(folder).at(-1) ?? (isAtOrAboveHome(start) ? [] : [start]);
  });
  return [...new Set(roots)];
}

/**
 * Returns the checkout whose author decides on the content of a folder: the nearest clone, because a submodule belongs to what is around it.
 */
export function cloneAround(folder: string): string {
  const all = findRepositoriesAround(folder);
  return all.find(isClone) ?? all.at(-1) ?? resolveRealPath(folder);
}

export function isRepository(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

/** Whether a folder is a clone. Git stores no folder `.git`, so a change cannot add one. In submodules and work trees, it is a file. */
export function isClone(folder: string): boolean {
  return lstatSync(join(folder, ".git"), { throwIfNoEntry: false })?.isDirectory() === true;
}

function isAtOrAboveHome(real: string): boolean {
  return isAtOrBelow(real, resolveRealPath(homedir())) || real === dirname(real);
}

/** Whether a path leads into a folder, with all links followed. Neither needs to exist. */
export function isInside(folder: string, path: string): boolean {
  return isAtOrBelow(resolveRealPath(folder), resolveRealPath(path));
}

/** Compares paths as they are written. */
export function isAtOrBelow(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && steps.split(sep)[0] !== "..";
}

/** Follows the links of a path as far as it exists. */
export function resolveRealPath(path: string): string {
  const whole = resolve(path);
  const rest: string[] = [];
  for (let at = whole; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...rest);
    } catch {
      if (at === dirname(at)) return whole;
      rest.unshift(relative(dirname(at), at));
    }
  }
}

/** As many links as Linux follows. */
const MOST_LINKS = 40;

/** The way that the system takes to a file. */
export interface Way {
  /** Every folder and link that is passed, and the end. Each is a real path, but for a link its own one. */
  readonly steps: readonly string[];
  /** The links among them. */
  readonly links: readonly string[];
  /** Whether it ends. Too many links are a loop. */
  readonly ends: boolean;
}

/** Follows a path step by step, and its links too, as far as it exists. */
export function traceWayTo(path: string): Way {
  const whole = resolve(path);
  let at = parse(whole).root;
  const places = [at];
  const links: string[] = [];
  for (let left = splitPath(whole); left.length > 0;) {
    const [step = "", ...rest] = left;
    left = rest;
    if (step === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, step);
    places.push(next);
    const target = readLinkTarget(next);
    if (target === undefined) {
      at = next;
      continue;
    }
    if (links.push(next) > MOST_LINKS) return { steps: places, links, ends: false };
    if (isAbsolute(target)) at = parse(target).root;
    left = [...splitPath(target), ...left];
  }
  return { steps: [...places, at], links, ends: true };
}

/** Returns the names in a path. */
export function splitPath(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((step) => step !== "" && step !== ".");
}

function readLinkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
