/** What a plan means besides its operations: refusals, names that already exist, access, and requests. */
import { formatHeadline } from "../../automation/plan/name-conflicts.js";
import type { CheckedPlan } from "../../automation/policy/checked-plan.js";
import { formatLoosened } from "../../automation/policy/guards/record.js";
import { formatObjects, formatRefusal } from "../../automation/policy/guards/refusals.js";
import { formatNotCovered } from "../../automation/policy/plan-fingerprint.js";
import { formatBudget, judgeSufficiency } from "../../automation/policy/request-budget.js";
import type { SectionItem, SectionView } from "../../automation/report/report-view.js";
import { stripControls } from "../../client/printable.js";
import { pickDefined } from "../../diff/values.js";
import { formatMoment } from "../../text/clock.js";
import { rankImpactLines } from "../../workspace-file/access/access.js";
import type { Location } from "../../workspace-file/index.js";
import { listRisks, type Risk } from "../plan/print-plan.js";

const RISKS: Readonly<Record<Risk["label"], string>> = {
  Access: "access",
  Starts: "runs",
  Stops: "stops",
  Secrets: "secrets",
  Hint: "renames",
};

/** @param where the workspace and the stack @param locate finds an object in the file */
export function planSections(
  plan: CheckedPlan,
  where: { readonly workspace: string; readonly stack: string },
  locate: (object: string) => Location | undefined = () => undefined,
): SectionView[] {
  const ranks = new Map(
    rankImpactLines(plan.access.impacts).map(({ line, order }) => [stripControls(line), order]),
  );
  const sections: SectionView[] = [
    { name: "loosened", title: "Guards that are looser than at the last up", items: listLoosenedItems(plan) },
    { name: "guards", title: "Guards", items: listGuardItems(plan, locate) },
    { name: "contents", title: "Unmanaged contents that are deleted too", items: listContentItems(plan) },
    { name: "existing", title: "Names that already exist", items: listTakenItems(plan, where) },
    ...listRisks(plan, { parts: true }).map(({ label, lines }): SectionView => ({
      name: RISKS[label],
      title: label,
      items: lines.map((text) => ({
        text,
        level: label === "Hint" || label === "Secrets" ? "warning" : "info",
        ...pickDefined({ rank: label === "Access" ? ranks.get(text) : undefined }),
      })),
    })),
    { name: "approval", title: "Not part of the approval", items: listNotCoveredItems(plan) },
    { name: "requests", title: "Requests", ...requestSection(plan) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function listGuardItems(
  { verdicts }: CheckedPlan,
  locate: (object: string) => Location | undefined,
): SectionItem[] {
  return verdicts.map((verdict) => {
    const { objects, remedy, remedyInFile, ignored } = verdict;
    const byHand = remedyInFile === undefined ? "To allow it" : "Or with an option of up";
    return {
      text: `${formatRefusal(verdict)}${ignored ? " (allowed by an option)" : ""}`,
      level: ignored ? "warning" : "error",
      details: [
        ...(objects.length > 0 ? [formatObjects(objects)] : []),
        ...(ignored || remedyInFile === undefined ? [] : [`To allow it, write in the file: ${remedyInFile}`]),
        ...(ignored ? [] : [`${byHand}: ${remedy}`]),
      ],
      place: objects[0] === undefined ? undefined : locate(objects[0]),
    };
  });
}

function listContentItems({ contents }: CheckedPlan): SectionItem[] {
  return contents.map(({ type, name }) => ({ text: `${type} ${name}`, level: "warning" }));
}

function listNotCoveredItems({ notCovered }: CheckedPlan): SectionItem[] {
  return notCovered.map((one) => ({ text: formatNotCovered(one), level: "warning" }));
}

function listLoosenedItems({ loosened }: CheckedPlan): SectionItem[] {
  return loosened.map((one) => ({ text: formatLoosened(one), level: "error" }));
}

function listTakenItems(
  { taken, remedies, objects }: CheckedPlan,
  where: { readonly workspace: string; readonly stack: string },
): SectionItem[] {
  if (taken.length === 0) return [];
  return [
    { text: formatHeadline(taken, { ...where, objects }), level: "error", details: remedies },
    ...taken.map(({ name, what }): SectionItem => ({ text: `${name}: ${what}`, level: "error" })),
  ];
}

function requestSection({ budget, steps, drift }: CheckedPlan): Pick<SectionView, "items" | "folded"> {
  if (steps.length === 0 && drift.length === 0) return { items: [] };
  const enough = judgeSufficiency(budget) === "enough";
  const text = formatBudget(budget, formatMoment);
  return { items: [{ text, level: enough ? "info" : "error" }], folded: enough };
}
