/** Which programs may run beside a workspace file: none that lies in its checkout, whoever names it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isInside, realPathOf } from "./checkout.js";
import { TrustError } from "./errors.js";

/**
 * Returns the checkouts that contain some folders. Unlike `checkoutRoot`, it returns the outermost folder with a `.git`, because the
 * author of a change may turn any folder of it into a submodule. A folder that contains the user's home, without a `.git`, is none.
 */
export function checkoutsOf(...folders: readonly string[]): readonly string[] {
  const home = realPathOf(homedir());
  const roots = folders.flatMap((folder) => {
    const start = realPathOf(folder);
    if (isInside(start, home)) return existsSync(join(start, ".git")) ? [start] : [];
    let root = start;
    for (let at = start; at !== home && at !== dirname(at); at = dirname(at))
      if (existsSync(join(at, ".git"))) root = at;
    return [root];
  });
  return [...new Set(roots)];
}

/** Returns the checkout that contains a path, or a link on the way to where it leads. */
export function checkoutWith(path: string, checkouts: readonly string[]): string | undefined {
  const whole = resolve(path);
  const places = [whole, realPathOf(whole)];
  for (let at = whole; at !== dirname(at); at = dirname(at))
    places.push(join(realPathOf(dirname(at)), basename(at)));
  return checkouts.find((checkout) => places.some((place) => isBelow(checkout, place)));
}

/** Compares names only, because the last part of a path may be a link that leads out of the folder. */
function isBelow(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && steps.split(sep)[0] !== "..";
}

/**
 * @param what what would be read or run, with a capital letter
 * @param remedy who may do what about it, as a sentence
 * @throws {TrustError} when a path leads into a checkout
 */
export function refuseInCheckout(
  what: string,
  path: string,
  checkouts: readonly string[],
  remedy: string,
): void {
  const checkout = checkoutWith(path, checkouts);
  if (checkout === undefined) return;
  throw new TrustError(
    "program",
    `${what} ${path} is in the checkout ${checkout}, and whoever can change that could put another program there. ${remedy}`,
  );
}

/**
 * Returns PATH without the entries of checkouts: those that lead into one, relative ones, and each `node_modules/.bin`, which `npx` and
 * `npm run` add for the working directory and all folders above it.
 */
export function pathOutside(env: NodeJS.ProcessEnv, checkouts: readonly string[]): string {
  const isOfPackages = (folder: string) =>
    basename(folder) === ".bin" && basename(dirname(folder)) === "node_modules";
  return (env["PATH"] ?? env["Path"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfPackages(folder))
    .filter((folder) => checkoutWith(folder, checkouts) === undefined)
    .join(delimiter);
}
