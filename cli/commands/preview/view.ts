/** Converts a plan to the report that all formats share: the state next to what the file says. */
import { createFinding } from "../../../diff/finding.js";
import type { PropertyPath } from "../../../diff/structural-diff.js";
import { definitions, isMasked, type Effect, type Fields } from "../../../provider/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import type { CheckedPlan } from "../../engine/plan/checked-plan.js";
import { ownArguments, type PropertyChange } from "../../engine/plan/changes.js";
import type { Operation } from "../../engine/plan/objects.js";
import { shownKey, type PlanStep } from "../../engine/plan/steps.js";
import { nothingToDo, summary } from "../../reporters/plan/print.js";
import { contentOf, planTree, type TreeNode } from "../../reporters/plan/tree.js";
import { placeOfFinding } from "../../reporters/finding-place.js";
import type { Cell, ClassView, FindingView, ReportView, Tone } from "../../reporters/report-view.js";
import { unmanagedIn } from "../../reporters/plan/words.js";
import { changeSentence, objectsText, stackHead } from "../../reporters/values.js";
import { planSections } from "./sections.js";

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

const classes = planClasses.map((name): ClassView => {
  const [label, description, tone] = facts[name];
  const columns = name === "update" || name === "replace" || name === "adopt" || name === "outside";
  const folded = name === "create" || name === "release" || name === "unverifiable";
  return { name, label, description, tone, columns, folded };
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
    declared === undefined ? finding : { ...finding, place: placeOfFinding(finding, declared) };
  const findings = byRisk(findingsOf(plan, declared)).map(place);
  const head = stackHead("plan", "Plan for", run);
  const objects = objectsText(plan.unchanged);
  const nothing = "The workspace matches the file.";
  return {
    ...run,
    ...head,
    facts: [...head.facts, ["Unchanged", objects]],
    verdict: verdictOf(plan, result),
    // The reviewer of a plan must see that it loosens guards.
    outcome: plan.loosened.length > 0 ? "found" : outcomes[result],
    same: `${objects} unchanged`,
    unchanged: plan.unchanged,
    nothing,
    classes,
    sections: planSections(plan, { workspace, stack }),
    findings,
    failOn: [],
    counts: countsOf(plan),
    complete: true,
    ignored: [],
    incomplete: [],
    warnings: plan.notes.map((message) => ({ code: "engine", message })),
    fingerprint: plan.fingerprint,
  };
}

/** Sorts by class; within a class, what runs commands or gives rights comes first, and the rest is in the order of the file. */
function byRisk(findings: readonly FindingView[]): FindingView[] {
  const effects: readonly (Effect | undefined)[] = ["commands", "rights", undefined];
  const rank = ({ type }: FindingView) =>
    effects.indexOf(definitions.find((one) => one.type === type)?.effect);
  const classRank = (finding: FindingView) => planClasses.findIndex((name) => name === finding.class);
  return findings.toSorted((a, b) => classRank(a) - classRank(b) || rank(a) - rank(b));
}

const outcomes = { nothing: "clean", changes: "planned", refused: "found" } as const;

/** Summarizes a plan in one line. */
export function verdictOf(plan: CheckedPlan, result: PreviewFacts["result"]): string {
  const count = plan.loosened.length;
  const looser = count === 0 ? "" : `; loosens ${count} guard${count === 1 ? "" : "s"}`;
  if (plan.steps.length === 0 && result !== "refused") return `${nothingToDo(plan)}${looser}`;
  return `${result === "refused" ? "Refused" : "Plan"}: ${summary(plan, "plan")}${looser}`;
}

/** Counts objects, not properties. */
function countsOf({ steps, drift, unverifiable }: CheckedPlan): Record<PlanClass, number> {
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

function findingsOf(plan: CheckedPlan, declared: LoadedFile | undefined): FindingView[] {
  const nodes = contentOf({ children: planTree(plan, declared) });
  return [
    ...nodes.flatMap(ofStep),
    ...nodes.flatMap((node) => ofDrift(node, plan)),
    ...plan.unverifiable.map(({ type, name, parts }) =>
      view("unverifiable", { type, name }, parts, { said: "the service does not return it" }),
    ),
  ];
}

function ofStep(node: TreeNode): FindingView[] {
  const { step, args } = node;
  if (step === undefined) return [];
  const unmanaged = unmanagedIn([node], true);
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
    view(operation, { type, name }, [], { sides, said: said.join("; ") });
  if (operation === "create") return [whole(argsCell("planned", type, args))];
  if (operation === "delete" || operation === "release") return [whole(argsCell("now", type, args))];
  const found = step.changes.map((change) => ofChange(operation, { type, name }, change));
  return said.length > 0 || found.length === 0 ? [whole([]), ...found] : found;
}

function ofDrift({ type, name, drift }: TreeNode, { shown }: CheckedPlan): FindingView[] {
  if (drift === undefined) return [];
  const titles = ["applied", "now"] as const;
  if (drift.gone) {
    const sides = argsCell("applied", type, shown.get(shownKey(drift, true))?.before);
    return [
      { ...view("outside", { type, name }, [], { sides, said: "is gone" }), columns: cellsOf(titles, sides) },
    ];
  }
  return drift.changes.map((change) => ofChange("outside", { type, name }, change, titles));
}

type Named = Pick<PlanStep, "type" | "name">;
type Title = "now" | "planned" | "applied";
type Titles = readonly [before: Title, after: Title];

const toneOf = (title: Title) => (title === "now" ? "actual" : "expected");

const usual: Titles = ["now", "planned"];

function ofChange(of: PlanClass, object: Named, change: PropertyChange, titles: Titles = usual): FindingView {
  const { parts, before, after } = change;
  const secret = isMasked(before) || isMasked(after);
  const cells: [Cell, Cell] = [
    { title: titles[0], value: before, tone: toneOf(titles[0]) },
    { title: titles[1], value: after, tone: toneOf(titles[1]) },
  ];
  return view(of, object, parts, { sides: cells, secret });
}

/** All arguments of an object, in a cell; none if nothing is known of it. */
function argsCell(title: Title, type: string, args: Fields | undefined): Cell[] {
  if (args === undefined) return [];
  return [{ title, value: ownArguments(type, args), tone: toneOf(title) }];
}

function cellsOf(titles: Titles, [before, after]: readonly Cell[]): [Cell, Cell] {
  return [before ?? { title: titles[0], value: undefined }, after ?? { title: titles[1], value: undefined }];
}

interface Shown {
  readonly sides?: readonly Cell[];
  /** Replaces the values. */
  readonly said?: string;
  readonly secret?: boolean;
}

function view(of: PlanClass, object: Named, parts: PropertyPath, shown: Shown): FindingView {
  const { sides = [], said, secret = false } = shown;
  const finding = { ...createFinding(of, object, parts, { secret }), columns: cellsOf(usual, sides) };
  const { path } = finding;
  return {
    ...finding,
    ...(said === undefined || said === "" ? {} : { remark: said, note: said }),
    sentence: () => {
      if (said !== undefined) return path === "" ? said : `${path}: ${said}`;
      return changeSentence(finding, (before, after) => `${before} → ${after}`);
    },
    sides,
  };
}
