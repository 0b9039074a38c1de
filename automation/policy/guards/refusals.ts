/** Words for verdicts, and the error for what they refuse. */
import { formatFirst } from "../../../text/lists.js";
import { shortenPath } from "../../../text/shown-path.js";
import { AutomationError } from "../../errors.js";
import { keepOutermost } from "./deletes.js";
import type { Verdict } from "./types.js";

/** Maximum number of objects to name, since the plan above names all. */
const NAMED = 8;

/** Returns what refuses, why, and who says so. */
export function formatRefusal({ guard, message, policy, file }: Verdict): string {
  const by = policy === undefined ? file && `guards of ${file}` : `policy ${shortenPath(policy)}`;
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

/** Options with which no guard refuses to delete everything that a stack manages. */
const EVERYTHING = '--include-protected --allow-delete "**"';

/**
 * Returns the error for a refused plan.
 * @param everything whether the plan was to delete everything, for which one option is enough
 */
export function createGuardError(verdicts: readonly Verdict[], everything = false): AutomationError {
  const refusing = listRefusals(verdicts);
  const lines = refusing.map((verdict) => `${formatRefusal(verdict)}. To allow it: ${verdict.remedy}`);
  const [only = "", ...others] = lines;
  const text = others.length === 0 ? only : [`${lines.length} guards:`, ...lines].join("\n  ");
  const isEnough = everything && refusing.every(({ remedy }) => remedy.includes("--allow-delete"));
  const whole = isEnough ? `\n  To delete everything that the stack manages: ${EVERYTHING}` : "";
  const remedy = isEnough ? EVERYTHING : refusing.map((verdict) => verdict.remedy);
  return new AutomationError(`refused, nothing was changed: ${text}${whole}`, remedy, { code: "refused" });
}
