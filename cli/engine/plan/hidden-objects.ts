/** Objects that are perhaps hidden from the token. */
import { formatCount } from "../../../diff/format-count.js";

const NAMED = 10;

/** What to say of them; nothing if there are none. */
export function describeHidden(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [
    `perhaps hidden from this token: ${formatCount(names.length, "object")} (${names.slice(0, NAMED).join(", ")}${more}). The service does not show them, and the token's user is no administrator. They stay in the state as they are; use the token of a workspace administrator`,
  ];
}
