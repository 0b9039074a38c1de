/** Which programs may run next to a workspace file: none from its checkout. */
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { isAtOrBelow, isRepository, traceWayTo } from "./checkout.js";
import { TrustError } from "./errors.js";

/** Returns the checkout that contains a path, or a link on the way to where it leads. */
export function findCheckoutWith(path: string, checkouts: readonly string[]): string | undefined {
  const { steps: places } = traceWayTo(path);
  return checkouts.find((checkout) => places.some((place) => isAtOrBelow(checkout, place)));
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
  refuse(what, path, findCheckoutWith(path, checkouts), remedy);
}

/**
 * Refuses what a program of this package keeps for its user and finds by itself: caches, digests, logins. A repository
 * counts wherever it is, because the home of a job may be in its checkout, or be the checkout.
 * @throws {TrustError} when a path leads into a checkout, or into any repository
 */
export function refuseInRepository(
  what: string,
  path: string,
  checkouts: readonly string[],
  remedy: string,
): void {
  const checkout = findCheckoutWith(path, checkouts) ?? traceWayTo(path).steps.find(isRepository);
  refuse(what, path, checkout, remedy);
}

function refuse(what: string, path: string, checkout: string | undefined, remedy: string): void {
  if (checkout === undefined) return;
  throw new TrustError(
    "program",
    `${what} ${path} is in the checkout ${checkout}, and whoever can change the checkout can replace it`,
    remedy,
  );
}

/**
 * Returns PATH without the entries of checkouts: those that lead into one, relative ones, and each `node_modules/.bin`, which `npx` and
 * `npm run` add for the working directory and all folders above it.
 */
export function filterPath(env: NodeJS.ProcessEnv, checkouts: readonly string[]): string {
  const isOfPackages = (folder: string) =>
    basename(folder) === ".bin" && basename(dirname(folder)) === "node_modules";
  return (env["PATH"] ?? env["Path"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfPackages(folder))
    .filter((folder) => findCheckoutWith(folder, checkouts) === undefined)
    .join(delimiter);
}

const isWindows = process.platform === "win32";

/** Reports whether a file exists and is executable. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, isWindows ? constants.F_OK : constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the first executable file of this name in the absolute folders of PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = isWindows && !/\.\w+$/.test(name) ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  return (env["PATH"] ?? env["Path"] ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => names.map((candidate) => join(folder, candidate)))
    .find(isExecutable);
}
