/** The problems of an operation as text. */
import { stripControls } from "../../../client/printable.js";
import { formatCount } from "../../../diff/format-count.js";
import { groupBy } from "../../lists.js";
import type { PlanProblem } from "./record-plan.js";

/** Maximum number of objects named for one problem; more than for a group, because they have to be fixed. */
const NAMED_FAILED = 20;

/** Formats all problems of an operation; one shared by many objects appears once. */
export function formatProblems(all: readonly PlanProblem[]): string {
  const causes = all.filter(({ message }) => !FOLLOWING.test(message));
  // Operations of a saved plan that were not reached.
  const [problems, following] = causes.length > 0 ? [causes, all.length - causes.length] : [all, 0];
  const text = formatCauses(problems);
  if (following === 0) return text;
  return `${text}\nFor that reason, ${formatCount(following, "other operation")} of the plan ${following === 1 ? "was" : "were"} not performed.`;
}

/** Pulumi's error for each operation of a saved plan that did not happen. */
const FOLLOWING = /expected resource operations for .* but none were seen/s;

function formatCauses(problems: readonly PlanProblem[]): string {
  const byMessage = groupBy(problems, ({ message }) => message.replace(/ \(object [^)]*\)/, ""));
  const texts = [...byMessage].map(([message, all]) => {
    const of = joinNames(all.flatMap(({ name }) => name ?? []));
    return `${of}${message}`.replaceAll("\n", "\n  ");
  });
  const [only = "", ...others] = texts;
  return others.length === 0 ? only : [`${texts.length} problems:`, ...texts].join("\n  ");
}

function joinNames(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > NAMED_FAILED ? ` and ${names.length - NAMED_FAILED} more` : "";
  return `${stripControls(names.toSorted().slice(0, NAMED_FAILED).join(", "))}${more}: `;
}
