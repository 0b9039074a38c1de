/** Builds the drift report from findings, with its result, by the published schema, and defines `drift-ignore.yaml`: known findings. */
import { z } from "zod";
import { setFingerprint } from "../../diff/fingerprint.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { getValue, type Tree } from "../../workspace-file/index.js";
import { locateBeside } from "../config-files/checked-files.js";
import { type FindingClass, findingClasses } from "../report/finding-classes.js";
import { buildReport, type ComparisonFacts } from "../report/findings-report.js";
import {
  count,
  defineFindingParts,
  defineResultParts,
  place,
  runParts,
  unreadParts,
  value,
} from "../report/report-schemas.js";
import { readSuppressionFile, type SuppressionEntry } from "../report/suppressions.js";

export const driftClassDescriptions: Readonly<Record<FindingClass, string>> = {
  deleted: "Declared and applied, but gone from the workspace.",
  changed: "A value in the workspace is not the one that was applied.",
  added: "In the workspace, in scope, and not declared.",
  pending: "Declared, but not applied yet: the file differs from the last applied state.",
  unverifiable: "A declared value that the service never returns, so it cannot be verified.",
};

/** Classes that lead to exit code 7 unless `--fail-on` selects others. */
export const driftFailOn: readonly FindingClass[] = ["deleted", "changed", "added"];

const driftFindingSchema = z.strictObject({
  ...defineFindingParts(findingClasses),
  name: z
    .string()
    .describe("Logical name, such as groups/QA. An unmanaged object has the name that it would get."),
  operation: z
    .enum(["create", "update", "replace", "delete", "release"])
    .optional()
    .describe("For a pending finding: what `up` will do."),
  declared: value.describe("Value in the file; for a program, the one in the state."),
  applied: value.describe("Value that the last `up` applied, according to the state."),
  live: value.describe("What is in the workspace now."),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe("Names of the objects whose numbers are values."),
  link: z.string().optional().describe("Web address of the object, or of its parent."),
  place: place.optional(),
  since: z.string().optional().describe("With --state-file: the time of the run that found it first."),
  runs: z.int().optional().describe("With --state-file: the number of runs that found it."),
});
export type DriftFinding = z.infer<typeof driftFindingSchema>;

const unreadSchema = z.strictObject({
  ...unreadParts,
  name: z
    .string()
    .optional()
    .describe("The object that could not be read; with `list`, the object that contains the list."),
  list: z.boolean().describe("A list of objects could not be read, instead of a single object."),
});
export type UnreadObject = z.infer<typeof unreadSchema>;

export const driftReportSchema = z
  .strictObject({
    ...runParts(2),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    stack: z.string().describe("The Pulumi stack whose state was compared."),
    file: z.string().describe("The workspace file; for a program, its Pulumi.yaml."),
    comparedWith: z
      .literal("state")
      .optional()
      .describe(
        "state: the objects of a program were compared with its state alone. Absent for a workspace file.",
      ),
    result: z
      .enum(["clean", "drift", "incomplete"])
      .describe(
        "drift: a finding of the classes in `failOn`; incomplete: no such finding, but not everything could be read.",
      ),
    exitCode: z
      .int()
      .describe("0 clean, or only drift that is younger than --fail-after; 7 drift; 10 incomplete."),
    counts: z
      .strictObject({ deleted: count, changed: count, added: count, pending: count, unverifiable: count })
      .describe("Number of findings by class, without ignored ones."),
    unchanged: z.int().describe("Number of declared objects without a finding."),
    ...defineResultParts({
      classes: findingClasses,
      finding: driftFindingSchema,
      unread: unreadSchema,
      file: "ignore file",
    }),
  })
  .meta({
    title: "Drift report",
    description: "What `workspacectl drift --format json` prints.",
  });
export type DriftReport = z.infer<typeof driftReportSchema>;

export interface DriftReportFacts
  extends
    ComparisonFacts<FindingClass, DriftFinding, UnreadObject>,
    Pick<DriftReport, "workspace" | "baseUrl" | "stack" | "file" | "comparedWith"> {
  /** Types and logical names of all declared objects. */
  readonly declared: readonly { readonly type: string; readonly name: string }[];
  readonly lasting: boolean;
}

export function createDriftReport(facts: DriftReportFacts): DriftReport {
  const { workspace, baseUrl, stack, file, comparedWith, declared, lasting, ...common } = facts;
  const report = buildReport(
    {
      ...common,
      classes: findingClasses,
      suppressible: ignorable,
      results: { found: "drift", clean: "clean", incomplete: "incomplete" },
      fingerprint: (findings) => fingerprintDrift(findings, facts.incomplete, lasting),
    },
    { workspace, baseUrl, stack, file, ...(comparedWith === undefined ? {} : { comparedWith }) },
  );
  const identify = ({ type, name = "" }: { readonly type: string; readonly name?: string | undefined }) =>
    identifyObject(type, name);
  const concerned = new Set([
    ...report.findings.filter((one) => one.class !== "unverifiable").map(identify),
    ...facts.incomplete.filter(({ list }) => !list).map(identify),
  ]);
  return { ...report, unchanged: declared.filter((one) => !concerned.has(identify(one))).length };
}

/** @param lasting whether fingerprints of secrets are the same in every run */
export function fingerprintDrift(
  findings: readonly DriftFinding[],
  incomplete: readonly UnreadObject[],
  lasting: boolean = true,
): string {
  const found = findings.map(({ id, class: findingClass, declared, live, operation, secret }) => {
    // For an unmanaged object, the finding is its existence.
    const values = findingClass === "added" || (secret && !lasting) ? [] : [declared ?? null, live ?? null];
    return [id, operation ?? null, ...values];
  });
  return setFingerprint(
    found,
    incomplete.map(({ type, name, list }) => [type, name ?? null, list]),
  );
}

/** The part of the baseline that accompanies the fingerprint of the set. */
export function createDriftBaseline({ workspace, stack, generatedAt, counts }: DriftReport) {
  return { workspace, stack, seenAt: generatedAt, counts };
}

/** Classes that can be ignored. Deletions are always reported. */
export const ignorable = ["changed", "added", "pending", "unverifiable"] as const;

export const driftIgnoreFile = readSuppressionFile({
  noun: "ignore file",
  option: "--ignore",
  list: ["ignore", "What is ignored."],
  meta: { title: "Ignored drift", description: "Findings of `workspacectl drift` that are not reported." },
  classes: ignorable,
  usual: "all but deleted, which cannot be ignored",
  explain: explainDeleted,
});

/** Reads the named file, or the one next to the workspace file if it exists. */
export function readIgnoreFile(named: string | undefined, workspaceFile: string): SuppressionEntry[] {
  return driftIgnoreFile.read(named, locateBeside(workspaceFile, "drift-ignore.yaml"));
}

function explainDeleted(tree: Tree, path: PropertyPath): string {
  if (!path.includes("class")) return "";
  const written = JSON.stringify(getValue(tree));
  return written.includes('"deleted"') ? '. Deletions cannot be ignored: remove "deleted"' : "";
}

/** Tells objects apart, and their properties: in a program, objects of different types may have the same name. */
export const identifyObject = (type: string, name: string, path = ""): string =>
  [type, name, path].join("\n");
