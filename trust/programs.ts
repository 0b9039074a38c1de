/** Which programs may run next to a workspace file: none from its checkout. */
import { basename, delimiter, dirname, isAbsolute } from "node:path";
import { isAtOrBelow, traceWayTo } from "./checkout.js";
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
  const checkout = findCheckoutWith(path, checkouts);
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
