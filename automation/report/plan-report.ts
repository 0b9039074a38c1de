/** Converts plans and results to the data that `--json` prints. */
import { copyAsData } from "../../text/json-value.js";
import type { ConfirmationRequest } from "../automation-port.js";
import type { Unverifiable } from "../plan/property-changes.js";
import type { RecordedPlan } from "../plan/record-plan.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import type { CheckedPlan } from "../policy/checked-plan.js";
import { listNewRuns } from "../policy/new-runs.js";
import { judgeSufficiency } from "../policy/request-budget.js";
import type { UpReport } from "../report-types.js";
import { publishDrift, publishSteps } from "../saved-plan/published-steps.js";
import type { OpenStack } from "../stack/open-stack.js";

/** Identifies the workspace of a report. */
export function reportHeader({ connection, name }: OpenStack): object {
  return { workspace: connection.workspace, baseUrl: connection.baseUrl, stack: name };
}

/** Converts a plan or a result to data. */
export function report(plan: RecordedPlan & Partial<Pick<CheckedPlan, "hashes">>): object {
  const { unchanged, unverifiable, notWatched } = plan;
  return {
    ...{
      steps: publishSteps(plan),
      drift: publishDrift(plan),
      unchanged,
      unverifiable: describeReported(unverifiable),
    },
    ...(notWatched.length > 0 ? { notWatched } : {}),
  };
}

/** What a program that answers the question about a plan gets of it. */
export function describeForQuestion(
  plan: RecordedPlan,
  stack: string,
): Pick<ConfirmationRequest, "stack" | "plan"> {
  return { stack, plan: copyAsData<UpReport["plan"]>(report(plan)) };
}

/** Converts the checks of a plan to data. */
export function describeChecks({
  taken,
  remedies,
  verdicts,
  loosened,
  contents,
  budget,
  access,
  possibleRenames,
  objects,
  selection,
  withoutSecrets,
  notCovered,
}: CheckedPlan): object {
  const { made, needed, left, reserve } = budget;
  return {
    ...(selection ? { only: describeSelection(selection) } : {}),
    ...(withoutSecrets ? { fingerprintWithoutSecrets: withoutSecrets.fingerprint } : {}),
    ...(notCovered.length > 0 ? { notCovered } : {}),
    taken: { objects: taken, remedies },
    guards: verdicts,
    loosened,
    unmanagedContents: contents,
    access: access.impacts,
    possibleRenames,
    runs: listNewRuns(objects),
    requests: {
      made: { reads: made.reads, writes: made.writes },
      needed,
      reserve,
      sufficiency: judgeSufficiency(budget),
      ...(left ? { left } : {}),
    },
  };
}

function describeSelection({ patterns, names, needed, following, others }: SelectedObjects): object {
  return { patterns, objects: [...names].toSorted(), needed, following, others };
}

/** Omits what only findings need. */
export function describeReported(found: readonly Unverifiable[]): object[] {
  return found.map(({ type, name, path }) => ({ type, name, path }));
}
