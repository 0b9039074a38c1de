/** The problems of an operation as text. */
import { stripControls } from "../../../client/printable.js";
import { groupBy } from "../../lists.js";
import type { PlanProblem } from "./steps.js";

/** Maximum number of objects named for one problem; more than for a group, because they have to be fixed. */
const NAMED_FAILED = 20;

/** Formats all problems of an operation; one shared by many objects appears once. */
export function formatProblems(problems: readonly PlanProblem[]): string {
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
