/** The problems of an operation: as text, and those of protected objects, whose protection a user can lift. */
import { stripControls } from "../../../client/printable.js";
import { formatCount } from "../../../diff/format-count.js";
import { groupBy } from "../../lists.js";
import { runPulumi, type PulumiCli } from "../stack/pulumi.js";
import { parseResourceType } from "../urn.js";
import { parseLogicalName } from "../../../components/urn.js";
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

/** Pulumi's error for a protected object; the group is the object's URN. */
export const PROTECTED = /resource "?([^"\n]+)"? cannot be deleted\s+because it is protected\b/;

/** An object that Pulumi refused to delete. */
export interface ProtectedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
}

/** The objects that a preview refused to delete. */
export function listProtectedIn(problems: readonly PlanProblem[]): ProtectedObject[] {
  return problems
    .map(({ message }) => PROTECTED.exec(message)?.[1])
    .filter((urn) => urn !== undefined)
    .map((urn) => ({ urn, type: parseResourceType(urn.split("::")[2] ?? ""), name: parseLogicalName(urn) }));
}

/**
 * Sets the protection of objects. It is lifted for those that the user names for deletion, because Pulumi refuses to plan the deletion of
 * protected ones. Changes only the state: the next `up` that declares the objects protects them again.
 */
export async function setProtection(
  cli: PulumiCli,
  stack: string,
  urns: readonly string[],
  on: boolean,
): Promise<void> {
  if (urns.length === 0) return;
  await runPulumi(cli, ["state", on ? "protect" : "unprotect", ...urns, "--yes", "--stack", stack]);
}
