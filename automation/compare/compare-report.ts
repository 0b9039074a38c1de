/** The report of a comparison, its published schema, and `compare-exceptions.yaml`: intended differences. */
import { z } from "zod";
import { type ComparedClass, comparedClasses, sourceKinds } from "../report/finding-classes.js";
import {
  count,
  defineFindingParts,
  defineResultParts,
  place,
  runParts,
  unreadParts,
  value,
} from "../report/report-schemas.js";
import { readSuppressionFile } from "../report/suppressions.js";

export const comparedClassDescriptions: Readonly<Record<ComparedClass, string>> = {
  missing: "On the left side only.",
  added: "On the right side only.",
  changed: "On both sides, but different.",
  unverifiable: "Not known on one side, so it cannot be compared.",
};

/** Classes that lead to exit code 7 unless `--fail-on` selects others. */
export const compareFailOn: readonly ComparedClass[] = ["missing", "added", "changed"];

const sideSchema = z.strictObject({
  name: z.string().describe("What the side is called in the report."),
  kind: z
    .enum(sourceKinds)
    .describe("Where it was read: a live workspace, a workspace file, or the state of a stack."),
  connection: z.string().optional().describe("Name of the connection."),
  workspace: z.string().optional().describe("Domain of the workspace, if the side names it."),
  baseUrl: z.string().optional().describe("Address of the service."),
  file: z.string().optional().describe("The workspace file."),
  overlays: z.array(z.string()).readonly().optional().describe("Its overlays, in order."),
  owns: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("Patterns of what the file owns. Nothing else was compared."),
  stack: z.string().optional().describe("The Pulumi stack."),
  objects: z.int().describe("Number of objects that were compared."),
});

const sideName = z.enum(["left", "right"]);
const defineForBothSides = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ left: schema.optional(), right: schema.optional() });

const compareFindingSchema = z.strictObject({
  ...defineFindingParts(comparedClasses),
  name: z.string().describe("Logical name, such as groups/QA."),
  left: value.describe("Value on the left side; for a whole object, its arguments."),
  right: value.describe("Value on the right side."),
  since: z.string().optional().describe("With --state-file: the time of the run that found it first."),
  runs: z.int().optional().describe("With --state-file: the number of runs that found it."),
  notKnown: z.array(sideName).optional().describe("Sides that do not know the value."),
  links: defineForBothSides(z.string()).optional().describe("Web addresses of the object."),
  places: defineForBothSides(place).optional().describe("Location in the file, or where it would be."),
});
export type CompareFinding = z.infer<typeof compareFindingSchema>;

const uncomparedSchema = z.strictObject({
  side: sideName,
  ...unreadParts,
  name: z
    .string()
    .optional()
    .describe("The object that could not be read, or the parent of several; absent for the workspace."),
});
export type UncomparedPart = z.infer<typeof uncomparedSchema>;

export const compareReportSchema = z
  .strictObject({
    ...runParts(2),
    left: sideSchema,
    right: sideSchema,
    mapping: z.string().optional().describe("The file that maps names on one side to names on the other."),
    result: z
      .enum(["same", "different", "incomplete"])
      .describe(
        "different: a finding of the classes in `failOn`; incomplete: no such finding, but not everything could be read.",
      ),
    exitCode: z.int().describe("0 the same, 7 different, 10 incomplete."),
    counts: z
      .strictObject({ missing: count, added: count, changed: count, unverifiable: count })
      .describe("Number of findings by class, without exceptions."),
    same: z.int().describe("Number of objects that both sides have, without a difference."),
    hidden: z
      .array(z.strictObject({ type: z.string(), noun: z.string(), arguments: z.array(z.string()) }))
      .describe("Arguments that neither side returns for any object, so they were not compared."),
    ...defineResultParts({
      classes: comparedClasses,
      finding: compareFindingSchema,
      unread: uncomparedSchema,
      file: "exceptions file",
    }),
  })
  .meta({ title: "Comparison", description: "What `workspacectl compare --format json` prints." });
export type CompareReport = z.infer<typeof compareReportSchema>;

/** The part of the baseline that accompanies the fingerprint of the set. */
export function compareBaseline({ left, right, generatedAt, counts }: CompareReport) {
  return { left: left.name, right: right.name, seenAt: generatedAt, counts };
}

/** Its name in the current folder. */
export const EXCEPTIONS_FILE = "compare-exceptions.yaml";

export const exceptionsFile = readSuppressionFile({
  noun: "exceptions file",
  option: "--exceptions",
  list: ["exceptions", "Intended differences."],
  meta: {
    title: "Exceptions of comparisons",
    description: "Findings of `workspacectl compare` that are ignored.",
  },
  classes: comparedClasses,
  usual: "all of them",
});
