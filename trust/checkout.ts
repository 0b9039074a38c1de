/** Which files belong to a checkout, so that the author of a pull request may have written them. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * Returns the root of the checkout that contains a folder: the nearest folder with a `.git`, else the folder itself. A home folder
 * under version control is no checkout of what lies in it.
 */
export function checkoutRoot(folder: string): string {
  const start = realPathOf(folder);
  const home = realPathOf(homedir());
  for (let at = start; at !== home && at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, ".git"))) return at;
  return start;
}

/** Whether a path leads into a folder, with all links followed. Neither needs to exist. */
export function isInside(folder: string, path: string): boolean {
  const steps = relative(realPathOf(folder), realPathOf(path));
  return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

/** Follows the links of a path as far as it exists. */
export function realPathOf(path: string): string {
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
