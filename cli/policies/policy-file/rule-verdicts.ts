/** Applies the rules of policies to a workspace file, and to a plan. */
import { formatPath } from "../../../provider/definition/problems.js";
import {
  applyBinding,
  type BoundFinding,
  type CustomRule,
  type LintFinding,
  type LintRuleFacts,
} from "../../../workspace-file/lint/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import { groupBy } from "../../lists.js";
import { withoutOptions, withoutPeriod, type RuleCode, type Verdict } from "../guards/evaluate.js";
import type { PlannedObject } from "../../engine/plan/planned-objects.js";
import { planVerdicts } from "./plan-rules.js";
import type { Policy } from "./policy.js";

/** Returns the rules of policies about the file. */
export function listBindingRules(policies: readonly Policy[]): CustomRule[] {
  return policies.flatMap(({ documentRules }) => documentRules);
}

/** Returns what reports say about rules, by their codes. */
export function describeRules(rules: readonly LintRuleFacts[]): Record<string, Omit<LintRuleFacts, "code">> {
  return Object.fromEntries(
    rules.map(({ code, severity, description, remedy }) => [code, { severity, description, remedy }]),
  );
}

/** Adds to the message of a finding which policy makes it. */
export function withPolicy(finding: LintFinding & Partial<BoundFinding>): LintFinding {
  const { policy, ...shown } = finding;
  return policy === undefined ? shown : { ...shown, message: `${shown.message} (policy ${policy})` };
}

/** Returns the findings of policies in a file, for reports about the file. @throws {WorkspaceFileError} when a rule fails */
export async function listDocumentFindings(loaded: LoadedFile, policies: readonly Policy[]) {
  const rules = listBindingRules(policies);
  const { findings, textOf } = await applyBinding(loaded, rules);
  return { problems: findings.map(withPolicy), rules: describeRules(rules), textOf };
}

/** Returns the refusals of the rules of policies. @throws {WorkspaceFileError} when a rule fails */
export async function listRuleVerdicts(
  objects: readonly PlannedObject[],
  policies: readonly Policy[],
  declared: LoadedFile | undefined,
): Promise<Verdict[]> {
  return [
    ...(declared === undefined ? [] : await listDocumentVerdicts(declared, policies)),
    ...policies.flatMap((policy) => planVerdicts(objects, policy, declared)),
  ];
}

async function listDocumentVerdicts(loaded: LoadedFile, policies: readonly Policy[]): Promise<Verdict[]> {
  const rules = listBindingRules(policies);
  if (rules.length === 0) return [];
  const remedyOf = ({ code, policy }: BoundFinding) =>
    rules.find((rule) => rule.code === code && rule.place.file === policy)?.remedy ?? "";
  const { findings } = await applyBinding(loaded, rules);
  const groups = groupBy(findings, ({ policy, code, message }) => [policy, code, message].join("\n"));
  return [...groups.values()].map((group) => {
    const first = group[0] as BoundFinding;
    const { file, line, column } = first.place;
    return {
      guard: first.code as RuleCode,
      message: `${withoutPeriod(first.message)} (${file}:${line}:${column})`,
      objects: group.flatMap(({ path = [] }) => (path.length > 0 ? [formatPath(path)] : [])),
      remedy: withoutOptions(remedyOf(first)),
      ignored: false,
      policy: first.policy,
    };
  });
}
