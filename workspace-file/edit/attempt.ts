/** Makes an edit: plans it, tries its strategies, and verifies the result by reading it. */
import { formatPath, type PropertyPath } from "../../provider/definition/problems.js";
import { snapshotOf, type DraftSnapshot } from "./draft.js";
import { canonicalDifferences, sameCanonical } from "./canonical-form.js";
import { Refusal, type Edit, type EditOptions, type MadeEdit, type Refused } from "./types.js";
import { planAdd } from "./strategies/add.js";
import { planOrder } from "./strategies/order.js";
import { planRemove } from "./strategies/remove.js";
import { planSet } from "./strategies/set.js";
import { planUnset } from "./strategies/unset.js";
import type { EditPlan, Strategy } from "./strategies/strategy.js";

export type Attempt =
  { readonly snapshot: DraftSnapshot; readonly made: MadeEdit } | { readonly refused: Refused };

/** Makes an edit, or returns why it is refused. The document then has the planned form and no other change. */
export function attempt(file: string, options: EditOptions, before: DraftSnapshot, edit: Edit): Attempt {
  try {
    const plan = planEdit(edit, before, options.writeFiles ?? false);
    if (sameCanonical(before.normal, plan.normal)) return { snapshot: before, made: { edit } };
    return tried(file, options, before, plan, edit);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: { edit, code: error.code, reason: error.message } };
  }
}

/** @throws {Refusal} when the edit is impossible */
export function planEdit(edit: Edit, snapshot: DraftSnapshot, writeFiles: boolean): EditPlan {
  if ("set" in edit) return planSet(snapshot, edit.set, writeFiles);
  if ("unset" in edit) return planUnset(snapshot, edit.unset);
  if ("add" in edit) return planAdd(snapshot, edit.add);
  if ("remove" in edit) return planRemove(snapshot, edit.remove.name);
  return planOrder(snapshot, edit.order);
}

function tried(file: string, options: EditOptions, before: DraftSnapshot, plan: EditPlan, edit: Edit) {
  let refusal: Refusal | undefined;
  for (const way of plan.ways) {
    const draft = before.draft.copy();
    try {
      way.run(draft);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
      continue;
    }
    const after = snapshotOf(file, options, draft);
    const proven = after && after.problems <= before.problems && sameCanonical(after.normal, plan.normal);
    if (proven) return { snapshot: after, made: madeIn(edit, way) };
    refusal ??= sideEffect(before, after, plan);
  }
  throw refusal ?? new Refusal("not-there", "no file of the document contains it");
}

export function madeIn(edit: Edit, way: Strategy | undefined): MadeEdit {
  if (way === undefined) return { edit };
  return { edit, file: way.file, ...(way.override ? { override: true } : {}) };
}

/** Explains which other changes a strategy would have made. */
function sideEffect(before: DraftSnapshot, after: DraftSnapshot | undefined, plan: EditPlan): Refusal {
  if (after === undefined || after.problems > before.problems)
    return new Refusal("shared", "its form does not allow changing it separately");
  const others = canonicalDifferences(after.normal, plan.normal).filter(
    (path) => !sameNormalAt(before, after, path),
  );
  const names = others.slice(0, 3).map((path) => formatPath(path));
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  if (names.length === 0) return new Refusal("shared", "a source with higher precedence sets it");
  return new Refusal(
    "shared",
    `the text is shared by an anchor, a template or defaults: ${names.join(", ")}${more} would change too`,
  );
}

function sameNormalAt(before: DraftSnapshot, after: DraftSnapshot, path: PropertyPath): boolean {
  return !canonicalDifferences(before.normal, after.normal).some((other) =>
    path.every((step, i) => other[i] === step),
  );
}
