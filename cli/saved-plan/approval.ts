/** Applies only a plan that somebody has approved by its fingerprint. */
import { hasSecret } from "../../diff/values.js";
import { CliError } from "../errors.js";
import type { CheckedPlan } from "../policies/checked-plan.js";
import { toSavedSteps } from "./saved-plan.js";
import type { SavedPlan } from "./schema.js";
import { listStepDifferences } from "./step-differences.js";

/** @throws {CliError} when the file contains another plan than the approved one, before anything is read */
export function refuseOtherFile({ fingerprint }: SavedPlan, approved: string): void {
  if (fingerprint === approved) return;
  throw new CliError(
    `the saved plan is not the approved one, nothing was changed: it has the fingerprint ${fingerprint}, and ${approved} is approved`,
    'Pass the file that "workspacectl preview --save-plan" wrote together with that fingerprint',
  );
}

/** @throws {CliError} when the plan is another one than the approved one. @param saved the approved plan, if there is a file */
export function refuseUnapproved(
  approved: string,
  { fingerprint, steps, objects, shown }: Pick<CheckedPlan, "fingerprint" | "steps" | "objects" | "shown">,
  saved: SavedPlan | undefined,
): void {
  if (fingerprint === approved) return;
  const what = `this is not the approved plan, nothing was changed: ${approved} is approved, and this plan is ${fingerprint}`;
  const found = saved === undefined ? [] : listDifferences(saved, { steps, shown });
  const secrets = hasSecrets(objects) ? [SECRETS] : [];
  const nothing = steps.length === 0 ? "There is nothing left to do: it may have been applied already. " : "";
  const compare = saved === undefined ? [TO_COMPARE] : [];
  throw new CliError(
    [what, ...found, ...secrets].join("\n"),
    [`${nothing}If the plan shown above is right, ask for a new approval`, ...compare].join("\n"),
  );
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
