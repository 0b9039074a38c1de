/** Applies only a plan that somebody has approved by its fingerprint. After a failure, what is left of that plan is approved too, on any machine: the tags of the stack record that `up` has begun to apply it. */
import { hasSecret } from "../../diff/values.js";
import { AutomationError } from "../errors.js";
import type { CheckedPlan } from "../policy/checked-plan.js";
import { fingerprintHashes, fingerprintScope } from "../policy/plan-fingerprint.js";
import { note, type Port } from "../port.js";
import { hasFleet } from "../stack/fleet-turn.js";
import type { OpenStack } from "../stack/open-stack.js";
import { readTags, setTags, type StackTags } from "../stack/stack-tags.js";
import { listStepDifferences } from "./published-steps.js";
import { type ApplyRun, toSavedSteps } from "./saved-plan.js";
import type { SavedPlan } from "./schema.js";

/** @throws {AutomationError} when the file contains another plan than the approved one, before anything is read */
export function refuseOtherFile({ fingerprint }: SavedPlan, approved: string): void {
  if (fingerprint === approved) return;
  throw new AutomationError(
    `the saved plan is not the approved one, nothing was changed: its fingerprint is "${fingerprint}", and the approved one is "${approved}"`,
    'Pass the file that "workspacectl preview --save-plan" wrote together with that fingerprint',
    { code: "other-plan" },
  );
}

/**
 * Makes sure that the plan is the approved one, or what an earlier run has left of it. A saved plan is an approval too.
 * @throws {AutomationError} otherwise
 */
export async function requireApproved(
  run: ApplyRun,
  plan: CheckedPlan,
  approved: string | undefined,
  io: Port,
): Promise<void> {
  const { open, stored } = run;
  const fingerprint = approved ?? stored?.plan.fingerprint;
  if (fingerprint === undefined) return;
  const same = [plan, plan.withoutSecrets].find((one) => one?.fingerprint === fingerprint);
  const isSame = same !== undefined;
  const isExpected = isSame && stored === undefined;
  const rest = isExpected ? undefined : await findRemainder(open, fingerprint, plan, stored?.plan.hashes);
  if (approved !== undefined) refuseUnapproved(approved, plan, stored?.plan, rest, hasFleet(io.env));
  run.isRest = rest?.others.length === 0;
  const { hashes } = same ?? plan;
  run.approved = run.isRest && rest ? rest.approved : { fingerprint, hashes: [...hashes.values()] };
  if (isSame && fingerprint !== plan.fingerprint)
    note(io, `The approval does not cover the values of secrets: its preview did not have all of them.`);
  const { length } = run.approved.hashes;
  if (run.isRest && length > plan.hashes.size)
    note(
      io,
      `An earlier run has done ${length - plan.hashes.size} of the ${length} parts of the approved plan (operations, looser guards).`,
    );
}

/**
 * @param saved the approved plan, if there is a file
 * @param remainder what an earlier run has left of the approved plan
 * @param isOfFleet a fleet has started this run
 * @throws {AutomationError} when the plan is neither the approved one nor what is left of it
 */
export function refuseUnapproved(
  approved: string,
  plan: Pick<CheckedPlan, "fingerprint" | "withoutSecrets" | "steps" | "objects" | "shown">,
  saved: SavedPlan | undefined,
  remainder?: Remainder,
  isOfFleet: boolean = false,
): void {
  const { fingerprint, withoutSecrets, steps, objects, shown } = plan;
  if (fingerprint === approved || withoutSecrets?.fingerprint === approved) return;
  if (remainder?.others.length === 0) return;
  const what = `this is not the approved plan, nothing was changed: ${approved} is approved, and this plan is ${fingerprint}`;
  const found = saved === undefined ? [] : listDifferences(saved, { steps, shown });
  const secrets = hasSecrets(objects) ? [SECRETS] : [];
  const nothing = steps.length === 0 ? "There is nothing left to do: it may have been applied already. " : "";
  const besides = remainder === undefined ? [] : [formatBesides(remainder)];
  // The report of a fleet contains the operations, and its workspaces take no plan.
  const compare = saved === undefined && !isOfFleet ? [TO_COMPARE] : [];
  throw new AutomationError(
    [what, ...besides, ...found, ...secrets].join("\n"),
    [`${nothing}If the plan shown above is right, ask for a new approval`, ...compare].join("\n"),
    { code: "other-plan" },
  );
}

/** Maximum number of objects. */
const NAMED = 10;

function formatBesides({ others }: Remainder): string {
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  return `An earlier run has begun to apply the approved plan. Not part of what is left of it: ${others.slice(0, NAMED).join(", ")}${more}`;
}

const TO_COMPARE =
  'To see the differences, pass the approved plan as well: --plan FILE, which "workspacectl preview --save-plan FILE" has written';

const SECRETS =
  "Secret values are part of the fingerprint, with the passphrase of the state as key: preview and up need the same passphrase and the same values";

function listDifferences(
  { steps: approved }: SavedPlan,
  plan: Pick<CheckedPlan, "steps" | "shown">,
): string[] {
  const found = listStepDifferences(approved, toSavedSteps(plan));
  return found.length > 0
    ? found
    : [
        "The operations look the same: what differs is a secret, a loosened guard, or what a deleted object contains that no file declares",
      ];
}

function hasSecrets(objects: CheckedPlan["objects"]): boolean {
  return objects.some(({ operation, after }) => operation !== "same" && hasSecret(after));
}

/** `started` or `done`, and the fingerprint of the plan. */
const APPROVAL_TAG = "workspacectl:approval";
/** The hashes of the whole plan, where the tags are a file. */
const HASHES_TAG = "workspacectl:approved-operations";
const LONGEST_IN_SERVICE = 256;

/** An approved plan. */
interface Approved {
  readonly fingerprint: string;
  /** Hashes of all its operations. */
  readonly hashes: readonly string[];
}

/** What an earlier run has left of an approved plan. */
interface Remainder {
  readonly approved: Approved;
  /** What the present plan would do besides, as keys of its hashes. */
  readonly others: readonly string[];
}

/**
 * Returns what is left of a plan that an earlier run has begun to apply; undefined if none has.
 * @param hashes those of the approved plan, if there is a file. They are believed only if they have its fingerprint
 */
async function findRemainder(
  open: OpenStack,
  fingerprint: string,
  plan: Pick<CheckedPlan, "hashes" | "withoutSecrets">,
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
  const isAllowed = (key: string, hash: string) =>
    allowed.has(hash) || allowed.has(plan.withoutSecrets?.hashes.get(key) ?? hash);
  const others = [...plan.hashes].filter(([key, hash]) => !isAllowed(key, hash)).map(([key]) => key);
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
  const fits = !open.location.backendUrl.isOfService || (hashes && hashes.length <= LONGEST_IN_SERVICE);
  await setTags(open.cli, open.name, {
    ...more,
    [APPROVAL_TAG]: approved && `started ${approved.fingerprint}`,
    ...(fits ? { [HASHES_TAG]: hashes } : {}),
  });
}

export async function recordEnd(open: OpenStack, { fingerprint }: Approved): Promise<void> {
  await setTags(open.cli, open.name, { [APPROVAL_TAG]: `done ${fingerprint}`, [HASHES_TAG]: undefined });
}
