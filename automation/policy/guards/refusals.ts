/** Words for verdicts, and the error for what they refuse. */
import { formatFirst } from "../../../text/lists.js";
import { AutomationError } from "../../errors.js";
import { keepOutermost } from "./deletes.js";
import type { Verdict } from "./types.js";

/** Maximum number of objects to name, since the plan above names all. */
const NAMED = 8;

/** Returns what refuses, why, and who says so. */
export function formatRefusal({ guard, message, policy, file }: Verdict): string {
  const by = policy === undefined ? file && `guards of ${file}` : `policy ${policy}`;
  return `${guard}: ${message}${by === undefined ? "" : ` (${by})`}`;
}

/** Names the outermost of the objects concerned. */
export function formatObjects(objects: readonly string[]): string {
  const outer = keepOutermost(objects).map(({ name, inside }) =>
    inside === 0 ? name : `${name} (${inside} in it)`,
  );
  return formatFirst(outer, NAMED);
}

/** Returns the verdicts that refuse the plan. */
export function listRefusals(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ ignored }) => !ignored);
}

/** Returns the error for a refused plan. */
export function createGuardError(verdicts: readonly Verdict[]): AutomationError {
  const lines = listRefusals(verdicts).map(
    (verdict) => `${formatRefusal(verdict)}. To allow it: ${verdict.remedy}`,
  );
  const [only = "", ...others] = lines;
  const text = others.length === 0 ? only : [`${lines.length} guards:`, ...lines].join("\n  ");
  const remedy = listRefusals(verdicts).map((verdict) => verdict.remedy);
  return new AutomationError(`refused, nothing was changed: ${text}`, remedy, { code: "refused" });
}
