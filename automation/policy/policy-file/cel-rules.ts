/** A policy and its rules, which judge a workspace file and each operation of a plan, with the values before and after it. */
import { z } from "zod";
import { HIDDEN, isSecret } from "../../../diff/values.js";
import {
  type Definition,
  definitions,
  type Fields,
  findDefinition,
  maskVersions,
} from "../../../provider/index.js";
import { text } from "../../../resources/definition/primitives.js";
import { formatPath } from "../../../resources/definition/problems.js";
import { groupBy } from "../../../text/lists.js";
import { toReadable } from "../../../text/readable-value.js";
import { shortenPath } from "../../../text/shown-path.js";
import type { GuardSettings, Tree } from "../../../workspace-file/index.js";
import { createCompiler, toWholeNumbers } from "../../../workspace-file/lint/custom/expression.js";
import { describeRuleFailure } from "../../../workspace-file/lint/custom/rule.js";
import { runWithinTime } from "../../../workspace-file/lint/custom/time-limit.js";
import {
  applyBinding,
  type BoundFinding,
  type CustomRule,
  type LintFinding,
  type LintRuleFacts,
} from "../../../workspace-file/lint/lint.js";
import { type LoadedFile, WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { addMissingArgs } from "../../../workspace-file/load/objects-in-file.js";
import {
  type CompiledRule,
  compileRules,
  ruleFacts,
  ruleMessages,
} from "../../config-files/expression-rules.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import { pickDeclared } from "../../plan/property-changes.js";
import { type RuleCode, type Verdict, withoutOptions, withoutPeriod } from "../guards/types.js";

/** A policy that was read. */
export interface Policy {
  /** Path as it was named. */
  readonly path: string;
  readonly guards: GuardSettings;
  readonly documentRules: readonly CustomRule[];
  readonly planRules: readonly PlanRule[];
  readonly text: string;
  /** Whether a fleet file names it. Then the author of that file can change it too. */
  readonly ofFleet: boolean;
}

/** Any type that a policy may name. */
export const resourceType = z.enum(definitions.map(({ type }) => type) as [string, ...string[]]);

/** The form of a rule about a plan. */
export const planRule = z.strictObject({
  ...ruleFacts,
  type: resourceType
    .optional()
    .describe("Type of the objects whose operations are checked. Default: all types.")
    .meta({ examples: ["Action"] }),
  when: text
    .optional()
    .describe("Condition in CEL: only operations for which it is true are checked.")
    .meta({ examples: ['op in ["create", "update"]'] }),
  require: text
    .describe("Condition in CEL that each operation must meet.")
    .meta({ examples: ['after.refName == "main"', "summary.delete <= 3"] }),
  ...ruleMessages,
});

type PlanRuleText = z.infer<typeof planRule>;

const compile = createCompiler({
  op: "what is done: create, adopt, update, replace, delete or release",
  resource: "type and name of the object, such as Pipeline and projects/web/pipelines/deploy",
  before: "its arguments before, or null",
  after: "its arguments after, or null",
  summary: "the number of operations of each kind, and of unchanged objects",
});

type Values = Parameters<ReturnType<typeof compile>>[0];

type PlanRule = CompiledRule<PlanRuleText, Values>;

/** @throws {WorkspaceFileError} with all problems of the expressions */
export function planRulesOf(
  rules: Readonly<Record<string, PlanRuleText>>,
  part: string,
  tree: Tree,
): PlanRule[] {
  return compileRules(rules, part, tree, compile);
}

/** Longest time for one rule and one plan. */
const SECONDS = 5;

/**
 * Applies the rules of a policy to the operations of a plan.
 * @param declared the file, which says which arguments are secret
 * @throws {WorkspaceFileError} when a rule fails, because a plan without findings would then mean nothing
 */
export function planVerdicts(
  objects: readonly PlannedObject[],
  { path, planRules, text }: Pick<Policy, "path" | "planRules" | "text">,
  declared?: Pick<LoadedFile, "declarations">,
): Verdict[] {
  if (planRules.length === 0) return [];
  const summary = summarizeObjects(objects);
  const operations = objects
    .filter(({ operation }) => operation !== "same")
    .map((object) => toValuesOf(object, declared, summary));
  return planRules.flatMap(({ code, rule, messageOf, locate }) => {
    let current: string | undefined;
    const check = () =>
      operations.flatMap((values) => {
        const { type, name } = values.resource;
        if (rule.type !== undefined && type !== rule.type) return [];
        current = name;
        const message = messageOf(values);
        return message === undefined ? [] : [{ message, name }];
      });
    try {
      const found = groupBy(runWithinTime(SECONDS * 1000, check), ({ message }) => message);
      return [...found].map(([message, of]) => ({
        guard: code as RuleCode,
        message: withoutPeriod(message),
        objects: of.map(({ name }) => name),
        remedy: withoutOptions(rule.remedy),
        ignored: false,
        policy: path,
      }));
    } catch (error) {
      const message = describeRuleFailure(code, current ?? "the plan", error);
      throw new WorkspaceFileError(path, [{ place: locate(error), code: "lint-rule", message }], text);
    }
  });
}

const OPERATIONS = ["create", "adopt", "update", "replace", "delete", "release"] as const;

function summarizeObjects(objects: readonly PlannedObject[]): unknown {
  const count = (of: PlannedObject["operation"]) =>
    objects.filter(({ operation }) => operation === of).length;
  return toWholeNumbers({
    ...Object.fromEntries(OPERATIONS.map((operation) => [operation, count(operation)])),
    unchanged: count("same"),
  });
}

function toValuesOf(
  { operation, type, name, before, after, inputs }: PlannedObject,
  declared: Pick<LoadedFile, "declarations"> | undefined,
  summary: unknown,
) {
  const definition = findDefinition(type);
  const { secrets = [] } =
    declared?.declarations.find((one) => one.name === name && one.definition === definition) ?? {};
  const isGiven = (arg: string, value: unknown) => secrets.includes(arg) && !isSecret(value);
  const sides = [inputs ?? before, after].map(
    (args) =>
      args &&
      Object.fromEntries(
        Object.entries(args).map(([arg, value]) => [arg, isGiven(arg, value) ? HIDDEN : value]),
      ),
  );
  // A rule about commands must see what is next to a secret in them.
  const [shownBefore, shownAfter] =
    definition === undefined ? sides : maskVersions(definition, sides).versions;
  return {
    op: operation,
    resource: { type, name },
    before: pickArgs(definition, shownBefore),
    after: pickArgs(definition, shownAfter),
    summary,
  };
}

/** Returns all arguments of an object; null if it does not exist. */
function pickArgs(definition: Definition | undefined, args: Fields | undefined): unknown {
  if (args === undefined) return null;
  const own = pickDeclared(args);
  // The arguments of other packages' objects are not known.
  const known = definition === undefined ? own : { ...addMissingArgs(definition, own), ...own };
  return toWholeNumbers(toReadable(known));
}

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
  return policy === undefined
    ? shown
    : { ...shown, message: `${shown.message} (policy ${shortenPath(policy)})` };
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
