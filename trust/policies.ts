/** Which file may be a policy: one that the author of a change cannot change along with it. */
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { checkoutRoot, realPathOf } from "./checkout.js";
import { TrustError } from "./errors.js";

/** Names a policy for every command that applies one, in addition to `--policy`. Only the caller sets it. */
export const POLICY_VARIABLE = "WORKSPACE_AUTOMATION_POLICY";

/** Names the policy of a fleet file to the processes of the fleet. It may be in the checkout, because it only adds to the others. */
export const FLEET_POLICY_VARIABLE = "WORKSPACE_AUTOMATION_FLEET_POLICY";

/**
 * Whether whoever can change a checkout can choose what a path leads to: it is in the checkout, or a link of the checkout is on its
 * way. A clone of its own inside the checkout is not part of it, because Git does not store a `.git` folder.
 * @param folder folder in the checkout
 */
export function isOfCheckout(path: string, folder: string): boolean {
  const root = outermostRoot(folder);
  return waysOf(resolve(path)).some((way) => way.startsWith(`${root}${sep}`) && !isInClone(way, root));
}

/** @throws {TrustError} when the policy is in the checkout that it is to check */
export function refusePolicyOfCheckout(path: string, folder: string): void {
  if (!isOfCheckout(path, folder)) return;
  throw new TrustError(
    "policy",
    `the policy ${path} is in the same checkout as the workspace file, so whoever changes one can change the other: name a file outside, ` +
      "such as a clone of the protected branch in another folder",
  );
}

/** Returns where a path leads, and every link on its way. */
function waysOf(path: string): string[] {
  const ways: string[] = [];
  const pending = [path];
  for (let next = pending.pop(); next !== undefined && ways.length < MOST_LINKS; next = pending.pop()) {
    for (let at = next; at !== dirname(at); at = dirname(at)) {
      const target = linkAt(at);
      if (target === undefined) continue;
      const holder = realPathOf(dirname(at));
      ways.push(join(holder, basename(at)));
      pending.push(resolve(holder, target));
    }
  }
  return [...ways, realPathOf(path)];
}

/** As many links as Linux follows. */
const MOST_LINKS = 40;

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the root of the checkout that decides on the content of a folder: a submodule belongs to the one around it. */
function outermostRoot(folder: string): string {
  const root = checkoutRoot(folder);
  if (isFolder(join(root, ".git"))) return root;
  const around = checkoutRoot(dirname(root));
  return around !== root && existsSync(join(around, ".git")) ? outermostRoot(around) : root;
}

/** Whether a folder between a path and the root of the checkout is a clone. A submodule has a file `.git`, not a folder. */
function isInClone(path: string, root: string): boolean {
  for (let at = dirname(path); at !== root && at !== dirname(at); at = dirname(at))
    if (isFolder(join(at, ".git"))) return true;
  return false;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
