/** What a plan means besides its operations: refusals, names that are taken, access, and requests. */
import type { CheckedPlan } from "../../engine/plan/checked-plan.js";
import { headline } from "../../engine/plan/taken-names.js";
import { namedObjects, refusalText } from "../../policies/guards/print.js";
import { loosenedText } from "../../policies/guards/record.js";
import { newRuns, stoppedRuns } from "../../policies/new-runs.js";
import { budgetText, sufficiency } from "../../policies/request-budget.js";
import type { SectionItem, SectionView } from "../../reporters/report-view.js";
import { moment } from "../../terminal/clock.js";

/** @param where the workspace and the stack */
export function planSections(
  plan: CheckedPlan,
  where: { readonly workspace: string; readonly stack: string },
): SectionView[] {
  const sections: SectionView[] = [
    { name: "loosened", title: "Guards that are looser than at the last up", items: loosenedItems(plan) },
    { name: "guards", title: "Guards", items: guardItems(plan) },
    { name: "contents", title: "Deleted although no file declares it", items: contentItems(plan) },
    { name: "taken", title: "Names that are taken", items: takenItems(plan, where) },
    {
      name: "access",
      title: "Access",
      items: plan.access.lines.map((text) => ({ text, level: "info" })),
    },
    { name: "runs", title: "Runs after this plan", items: runItems(plan) },
    { name: "stops", title: "No longer runs after this plan", items: stopItems(plan) },
    { name: "requests", title: "Requests", items: requestItems(plan) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function guardItems({ verdicts }: CheckedPlan): SectionItem[] {
  return verdicts.map((verdict) => {
    const { objects, remedy, ignored } = verdict;
    return {
      text: `${refusalText(verdict)}${ignored ? " (allowed by an option)" : ""}`,
      level: ignored ? "warning" : "error",
      details: [
        ...(objects.length > 0 ? [namedObjects(objects)] : []),
        ...(ignored ? [] : [`To allow it: ${remedy}`]),
      ],
    };
  });
}

function contentItems({ contents }: CheckedPlan): SectionItem[] {
  return contents.map(({ type, name }) => ({ text: `${type} ${name}`, level: "warning" }));
}

function loosenedItems({ loosened }: CheckedPlan): SectionItem[] {
  return loosened.map((one) => ({ text: loosenedText(one), level: "error" }));
}

function takenItems(
  { taken, remedies, objects }: CheckedPlan,
  where: { readonly workspace: string; readonly stack: string },
): SectionItem[] {
  if (taken.length === 0) return [];
  return [
    { text: headline(taken, { ...where, objects }), level: "error", details: remedies },
    ...taken.map(({ name, what }): SectionItem => ({ text: `${name}: ${what}`, level: "error" })),
  ];
}

function runItems({ objects }: CheckedPlan): SectionItem[] {
  return newRuns(objects).map(({ type, name, runs, before }) => ({
    text: `${type} ${name} ${runs} (${before === undefined ? "new" : `before: ${before}`})`,
    level: "info",
  }));
}

function stopItems({ objects }: CheckedPlan): SectionItem[] {
  return stoppedRuns(objects).map(({ type, name, before }) => ({
    text: `${type} ${name}, which runs ${before}`,
    level: "info",
  }));
}

function requestItems({ budget, steps, drift }: CheckedPlan): SectionItem[] {
  if (steps.length === 0 && drift.length === 0) return [];
  const enough = sufficiency(budget) === "enough";
  return [{ text: budgetText(budget, moment), level: enough ? "info" : "error" }];
}
