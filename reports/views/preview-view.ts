/** Converts a plan to the report that all formats share: the state next to what the file says. */
import type { Operation } from "../../automation/plan/planned-objects.js";
import { pickOwnArguments, type PropertyChange } from "../../automation/plan/property-changes.js";
import type { PlanStep } from "../../automation/plan/record-plan.js";
import { buildShownKey } from "../../automation/plan/shown-arguments.js";
import type { CheckedPlan } from "../../automation/policy/checked-plan.js";
import {
  type Cell,
  type ClassView,
  type FindingView,
  findPlaceOfFinding,
  type ReportView,
  type Tone,
} from "../../automation/report/report-view.js";
import { createFinding } from "../../diff/finding.js";
import { formatCount } from "../../diff/format-count.js";
import type { PropertyPath } from "../../diff/structural-diff.js";
import { hasSecret } from "../../diff/values.js";
import { type Effect, type Fields, findDefinition, isDebugLine } from "../../provider/index.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { formatChangeSentence, formatObjectCount, stackHead } from "../format-values.js";
import { formatUnmanaged } from "../object-words.js";
import { listContents, planTree, type TreeNode } from "../plan/plan-tree.js";
import { formatNothingToDo, formatSummaryOf } from "../plan/print-plan.js";
import { planSections } from "./preview-sections.js";

const planClasses = [
  "delete",
  "replace",
  "update",
  "create",
  "adopt",
  "release",
  "outside",
  "unverifiable",
] as const;
type PlanClass = (typeof planClasses)[number];

const facts: Readonly<Record<PlanClass, readonly [label: string, description: string, tone: Tone]>> = {
  delete: ["to delete", "Managed by the stack, and no longer declared.", "gone"],
  replace: ["to replace", "Deleted and created again.", "gone"],
  update: ["to update", "A value is not the declared one.", "other"],
  create: ["to create", "Declared, and not in the workspace.", "new"],
  adopt: ["to adopt", "Already in the workspace: adopted, with these changes.", "new"],
  release: ["to release", "No longer managed, but not deleted.", "later"],
  outside: ["changed outside", "Changed in the workspace since the last run.", "later"],
  unverifiable: ["unverifiable", "Declared values that the service never returns.", "unknown"],
};

export const planClassViews = planClasses.map((name): ClassView => {
  const [label, description, tone] = facts[name];
  const columns = name === "update" || name === "replace" || name === "adopt" || name === "outside";
  const folded = name === "create" || name === "release" || name === "unverifiable";
  return {
    name,
    label,
    description,
    tone,
    columns,
    folded,
    replaced: columns,
    counted: name === "unverifiable",
  };
});

/** The run of a preview, for its report. */
export interface PreviewFacts {
  readonly workspace: string;
  readonly baseUrl: string;
  readonly stack: string;
  readonly file?: string | undefined;
  readonly result: "nothing" | "changes" | "refused";
  readonly exitCode: number;
  readonly generatedAt: string;
  readonly seconds: number;
  readonly tool: { readonly name: "workspacectl"; readonly version: string };
}

/** @param declared the file, for the lines of findings */
export function planView(plan: CheckedPlan, run: PreviewFacts, declared?: LoadedFile): ReportView {
  const { workspace, stack, result } = run;
  const place = (finding: FindingView): FindingView =>
    declared === undefined ? finding : { ...finding, place: findPlaceOfFinding(finding, declared) };
  const findings = sortByRisk(listPlanFindings(plan, declared)).map(place);
  const head = stackHead("plan", "Plan for", run);
  const objects = formatObjectCount(plan.unchanged);
  const nothing = "The workspace matches the file.";
  return {
    ...run,
    ...head,
    facts: [...head.facts, ["Unchanged", objects]],
    verdict: formatVerdictOf(plan, result),
    // The reviewer of a plan must see that it loosens guards.
    outcome: plan.loosened.length > 0 ? "found" : outcomes[result],
    same: `${objects} unchanged`,
    unchanged: plan.unchanged,
    nothing,
    classes: planClassViews,
    sections: planSections(plan, { workspace, stack }, (object) => {
      const type = plan.objects.find(({ name }) => name === object)?.type;
      if (declared === undefined || type === undefined) return undefined;
      return findPlaceOfFinding({ name: object, type, pathParts: [] }, declared);
    }),
    findings,
    failOn: [],
    counts: countClasses(plan),
    complete: true,
    ignored: [],
    incomplete: [],
    // The log has the requests.
    warnings: plan.notes
      .filter((message) => !isDebugLine(message))
      .map((message) => ({ code: "engine", message })),
    fingerprint: plan.fingerprint,
  };
}

/** Sorts by class; within a class, what runs commands or gives rights comes first, and the rest is in the order of the file. */
function sortByRisk(findings: readonly FindingView[]): FindingView[] {
  const effects: readonly (Effect | undefined)[] = ["commands", "rights", undefined];
  const rank = ({ type }: FindingView) => effects.indexOf(findDefinition(type)?.effect);
  const classRank = (finding: FindingView) => planClasses.findIndex((name) => name === finding.class);
  return findings.toSorted((a, b) => classRank(a) - classRank(b) || rank(a) - rank(b));
}

const outcomes = { nothing: "clean", changes: "planned", refused: "found" } as const;

/** Summarizes a plan in one line. */
function formatVerdictOf(plan: CheckedPlan, result: PreviewFacts["result"]): string {
  const count = plan.loosened.length;
  const looser = count === 0 ? "" : `; loosens ${formatCount(count, "guard")}`;
  if (plan.steps.length === 0 && result !== "refused") return `${formatNothingToDo(plan)}${looser}`;
  return `${result === "refused" ? "Refused" : "Plan"}: ${formatSummaryOf(plan, "plan")}${looser}`;
}

/** Counts objects, not properties. */
function countClasses({ steps, drift, unverifiable }: CheckedPlan): Record<PlanClass, number> {
  const of = (operation: Operation) => steps.filter((step) => step.operation === operation).length;
  return {
    delete: of("delete"),
    replace: of("replace"),
    update: of("update"),
    create: of("create"),
    adopt: of("adopt"),
    release: of("release"),
    outside: drift.length,
    unverifiable: unverifiable.length,
  };
}

function listPlanFindings(plan: CheckedPlan, declared: LoadedFile | undefined): FindingView[] {
  const nodes = listContents({ children: planTree(plan, declared) });
  return [
    ...nodes.flatMap(describeStep),
    ...nodes.flatMap((node) => describeDrift(node, plan)),
    ...plan.unverifiable.map(({ type, name, parts }) =>
      createFindingView("unverifiable", { type, name }, parts, { said: "the service does not return it" }),
    ),
  ];
}

function describeStep(node: TreeNode): FindingView[] {
  const { step, args } = node;
  if (step === undefined) return [];
  const unmanaged = formatUnmanaged([node], true);
  const { operation, type, name, formerName, within, reasons } = step;
  const said = [
    { create: "is new", delete: "is deleted", release: "is released, and not deleted" }[
      operation as "create" | "delete" | "release"
    ],
    unmanaged === "" ? undefined : `with ${unmanaged}`,
    ...reasons.map(({ text }) => text),
    formerName === undefined ? undefined : `was ${formerName}`,
    within === undefined ? undefined : `leaves the list of ${within}`,
  ].filter((text) => text !== undefined);
  const whole = (sides: readonly Cell[]) =>
    createFindingView(operation, { type, name }, [], { sides, said: said.join("; ") });
  if (operation === "create") return [whole(describeArgs("planned", type, args))];
  if (operation === "delete" || operation === "release") return [whole(describeArgs("now", type, args))];
  const found = step.changes.map((change) => describeChange(operation, { type, name }, change));
  return said.length > 0 || found.length === 0 ? [whole([]), ...found] : found;
}

function describeDrift({ type, name, drift }: TreeNode, { shown }: CheckedPlan): FindingView[] {
  if (drift === undefined) return [];
  const titles = ["applied", "now"] as const;
  if (drift.gone) {
    const sides = describeArgs("applied", type, shown.get(buildShownKey(drift, true))?.before);
    return [
      {
        ...createFindingView("outside", { type, name }, [], { sides, said: "is gone" }),
        columns: describeCells(titles, sides),
      },
    ];
  }
  return drift.changes.map((change) => describeChange("outside", { type, name }, change, titles));
}

type Named = Pick<PlanStep, "type" | "name">;
type Title = "now" | "planned" | "applied";
type Titles = readonly [before: Title, after: Title];

const chooseTone = (title: Title) => (title === "now" ? "actual" : "expected");

const usual: Titles = ["now", "planned"];

function describeChange(
  of: PlanClass,
  object: Named,
  change: PropertyChange,
  titles: Titles = usual,
): FindingView {
  const { parts, before, after } = change;
  const secret = hasSecret(before) || hasSecret(after);
  const cells: [Cell, Cell] = [
    { title: titles[0], value: before, tone: chooseTone(titles[0]) },
    { title: titles[1], value: after, tone: chooseTone(titles[1]) },
  ];
  return createFindingView(of, object, parts, { sides: cells, secret });
}

/** All arguments of an object, in a cell; none if nothing is known of it. */
function describeArgs(title: Title, type: string, args: Fields | undefined): Cell[] {
  if (args === undefined) return [];
  return [{ title, value: pickOwnArguments(type, args), tone: chooseTone(title) }];
}

function describeCells(titles: Titles, [before, after]: readonly Cell[]): [Cell, Cell] {
  return [before ?? { title: titles[0], value: undefined }, after ?? { title: titles[1], value: undefined }];
}

interface Shown {
  readonly sides?: readonly Cell[];
  /** Replaces the values. */
  readonly said?: string;
  readonly secret?: boolean;
}

function createFindingView(of: PlanClass, object: Named, parts: PropertyPath, shown: Shown): FindingView {
  const { sides = [], said, secret = false } = shown;
  const finding = { ...createFinding(of, object, parts, { secret }), columns: describeCells(usual, sides) };
  const { path } = finding;
  return {
    ...finding,
    ...(said === undefined || said === "" ? {} : { remark: said, note: said }),
    sentence: () => {
      if (said !== undefined) return path === "" ? said : `${path}: ${said}`;
      return formatChangeSentence(finding, (before, after) => `${before} → ${after}`);
    },
    sides,
  };
}
