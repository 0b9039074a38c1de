/** Objects that are perhaps hidden from the token. */
import { formatCount } from "../../diff/format-count.js";
import { readRequestCounter } from "../../provider/index.js";
import type { OpenStack } from "../stack/open-stack.js";
import type { RecordedPlan } from "./record-plan.js";

const NAMED = 10;

/** The names of the objects that a preview could not see. */
export function listHiddenObjects(
  { observed }: Pick<RecordedPlan, "observed">,
  { requestCounter }: Pick<OpenStack, "requestCounter">,
): string[] {
  const hidden = new Set(readRequestCounter(requestCounter).hidden.map((one) => one.join(" ")));
  return observed
    .filter(({ definition, id }) => hidden.has(`${definition.type} ${id}`))
    .map(({ name }) => name);
}

/** What to say of them; nothing if there are none. */
export function describeHidden(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [
    `perhaps hidden from this token: ${formatCount(names.length, "object")} (${names.slice(0, NAMED).join(", ")}${more}). The service does not show them, and the token's user is no administrator. They stay in the state as they are; use the token of a workspace administrator`,
  ];
}
