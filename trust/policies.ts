/** Which file may be a policy: one that the author of a change cannot change along with it. */
import { dirname } from "node:path";
import { cloneAround, isAtOrBelow, isClone, resolveRealPath, traceWayTo } from "./checkout.js";
import { TrustError } from "./errors.js";

/** Names a policy for every command that applies one, in addition to `--policy`. Only the caller sets it. */
export const POLICY_VARIABLE = "WORKSPACE_AUTOMATION_POLICY";

/** Names the policies of a fleet file to the processes of the fleet. They may be in the checkout, because they only add to the others. */
export const FLEET_POLICY_VARIABLE = "WORKSPACE_AUTOMATION_FLEET_POLICY";

/**
 * Whether the author of a checkout can choose the target of a path: it is in the checkout, or a link of the checkout is on its
 * way. A clone of its own inside the checkout is not part of it, because Git does not store a `.git` folder.
 * @param folder folder in the checkout
 */
export function isOfCheckout(path: string, folder: string): boolean {
  const root = cloneAround(folder);
  return [...traceWayTo(path).links, resolveRealPath(path)].some(
    (place) => place !== root && isAtOrBelow(root, place) && !isInClone(place, root),
  );
}

/** @throws {TrustError} when the policy is in the checkout that it is to check */
export function refusePolicyOfCheckout(path: string, folder: string): void {
  if (!isOfCheckout(path, folder)) return;
  throw new TrustError(
    "policy",
    `the policy ${path} is in the same checkout as the workspace file, so whoever changes one can change the other`,
    "name a file outside, such as a clone of the protected branch in another folder",
  );
}

/** Whether a clone lies between a file and the root of the checkout. */
function isInClone(path: string, root: string): boolean {
  const clone = cloneAround(dirname(path));
  return clone !== root && isAtOrBelow(root, clone) && isClone(clone);
}
