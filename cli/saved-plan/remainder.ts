/**
 * The record of an approved plan that `up` has begun to apply, in the tags of the stack. After a failure, what is left of that plan is
 * approved too, on any machine.
 */
import { setTags, readTags, type StackTags } from "../engine/stack/stack-tags.js";
import type { OpenStack } from "../engine/stack/open-stack.js";
import type { CheckedPlan } from "../policies/checked-plan.js";
import { fingerprintHashes, fingerprintScope } from "../policies/plan-fingerprint.js";

/** `started` or `done`, and the fingerprint of the plan. */
const APPROVAL_TAG = "workspacectl:approval";
/** The hashes of the whole plan, where the tags are a file. */
const HASHES_TAG = "workspacectl:approved-operations";
const LONGEST_IN_SERVICE = 256;

/** An approved plan. */
export interface Approved {
  readonly fingerprint: string;
  /** Hashes of all its operations. */
  readonly hashes: readonly string[];
}

/** What an earlier run has left of an approved plan. */
export interface Remainder {
  readonly approved: Approved;
  /** What the present plan would do besides, as keys of its hashes. */
  readonly others: readonly string[];
}

/**
 * Returns what is left of a plan that an earlier run has begun to apply; undefined if none has.
 * @param hashes those of the approved plan, if there is a file. They are believed only if they have its fingerprint
 */
export async function findRemainder(
  open: OpenStack,
  fingerprint: string,
  plan: Pick<CheckedPlan, "hashes">,
  hashes: readonly string[] = [],
): Promise<Remainder | undefined> {
  const tags = await readTags(open.cli, open.name, [APPROVAL_TAG, HASHES_TAG]);
  const [state, of] = (tags[APPROVAL_TAG] ?? "").split(" ");
  if (of !== fingerprint) return undefined;
  const scope = fingerprintScope(open);
  const recorded = (tags[HASHES_TAG] ?? "").split(" ").filter((hash) => hash !== "");
  const approved = [hashes, recorded].find((all) => fingerprintHashes(all, scope) === fingerprint) ?? [];
  // Nothing is left of a plan that was applied. Doing a part of it again is for another approval.
  const allowed = new Set(state === "started" ? approved : []);
  const others = [...plan.hashes].filter(([, hash]) => !allowed.has(hash)).map(([key]) => key);
  return { approved: { fingerprint, hashes: approved }, others };
}

/** Records that a plan is about to be applied, with what else is to be tagged. A plan that nobody has approved ends the record. */
export async function recordStart(
  open: OpenStack,
  approved: Approved | undefined,
  more: StackTags,
): Promise<void> {
  const hashes = approved?.hashes.join(" ");
  // Pulumi's service allows no long values.
  const fits = !/^https?:/.test(open.location.backendUrl) || (hashes && hashes.length <= LONGEST_IN_SERVICE);
  await setTags(open.cli, open.name, {
    ...more,
    [APPROVAL_TAG]: approved && `started ${approved.fingerprint}`,
    ...(fits ? { [HASHES_TAG]: hashes } : {}),
  });
}

export async function recordEnd(open: OpenStack, { fingerprint }: Approved): Promise<void> {
  await setTags(open.cli, open.name, { [APPROVAL_TAG]: `done ${fingerprint}`, [HASHES_TAG]: undefined });
}
