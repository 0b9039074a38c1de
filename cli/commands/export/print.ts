/** Words that every form of export has in common. */
import type { Gap } from "../../../provider/index.js";
import { plain } from "../../reporters/values.js";

/** At most so many objects are named for one reason. */
const NAMED = 5;

/** One line a reason: without rights, everything is missing for the same. */
export function gapLines(gaps: readonly Gap[]): string[] {
  const reasons = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const key = `${gap.type}: ${gap.reason}`;
    reasons.set(key, [...(reasons.get(key) ?? []), gap]);
  }
  return [...reasons].map(([reason, of]) => {
    const names = of.slice(0, NAMED).map(({ name }) => name ?? "the workspace");
    const more = of.length > NAMED ? `, and ${of.length - NAMED} more` : "";
    return plain(`${reason} (${names.join(", ")}${more})`);
  });
}

export function countText(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
