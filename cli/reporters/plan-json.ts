/** Converts plans and results to the data that `--json` prints. */
import type { OpenStack } from "../engine/stack/open.js";
import { newRuns } from "../policies/new-runs.js";
import { sufficiency } from "../policies/request-budget.js";
import type { CheckedPlan } from "../engine/plan/checked-plan.js";
import { publishedDrift, publishedSteps } from "../engine/plan/published.js";
import type { RecordedPlan } from "../engine/plan/steps.js";
import type { SelectedObjects } from "../engine/plan/selection.js";
import type { Unverifiable } from "../engine/plan/write-only.js";

/** Identifies the workspace of a report. */
export function reportHeader({ connection, name }: OpenStack): object {
  return { workspace: connection.workspace, baseUrl: connection.baseUrl, stack: name };
}

/** Converts a plan or a result to data. */
export function report(plan: RecordedPlan): object {
  const { unchanged, unverifiable, notWatched } = plan;
  return {
    ...{
      steps: publishedSteps(plan),
      drift: publishedDrift(plan),
      unchanged,
      unverifiable: reported(unverifiable),
    },
    ...(notWatched.length > 0 ? { notWatched } : {}),
  };
}

/** Converts the checks of a plan to data. */
export function checks({
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
}: CheckedPlan): object {
  const { made, needed, left, reserve } = budget;
  return {
    ...(selection ? { only: selectionReport(selection) } : {}),
    taken: { objects: taken, remedies },
    guards: verdicts,
    loosened,
    unmanagedContents: contents,
    access: access.impacts,
    possibleRenames,
    runs: newRuns(objects),
    requests: {
      made: { reads: made.reads, writes: made.writes },
      needed,
      reserve,
      sufficiency: sufficiency(budget),
      ...(left ? { left } : {}),
    },
  };
}

function selectionReport({ patterns, names, needed, others }: SelectedObjects): object {
  return { patterns, objects: [...names].toSorted(), needed, others };
}

/** Omits what only findings need. */
export function reported(found: readonly Unverifiable[]): object[] {
  return found.map(({ type, name, path }) => ({ type, name, path }));
}
