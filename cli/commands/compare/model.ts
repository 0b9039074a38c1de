/** Schema of the JSON report of `workspacectl compare`. */
import { z } from "zod";
import { warningSchema } from "../../reporters/suppressions.js";
import { count, findingParts, place, tool } from "../../reporters/published.js";
import { comparedClasses, sourceKinds, type ComparedClass } from "./classes.js";

export const comparedClassDescriptions: Readonly<Record<ComparedClass, string>> = {
  missing: "On the left side only.",
  added: "On the right side only.",
  changed: "On both sides, and not the same.",
  unverifiable: "Not known to a side, so that nobody can tell whether it is the same.",
};

/** Classes that lead to exit code 7 unless `--fail-on` selects others. */
export const compareFailOn: readonly ComparedClass[] = ["missing", "added", "changed"];

const sideSchema = z.strictObject({
  name: z.string().describe("What the side is called in the report."),
  kind: z
    .enum(sourceKinds)
    .describe("Where it was read: a live workspace, a workspace file, or the state of a stack."),
  connection: z.string().optional().describe("Name of the connection."),
  workspace: z.string().optional().describe("Domain of the workspace, as far as the side says it."),
  baseUrl: z.string().optional().describe("Address of the service."),
  file: z.string().optional().describe("The workspace file."),
  overlays: z.array(z.string()).readonly().optional().describe("Files that were laid over it."),
  stack: z.string().optional().describe("The Pulumi stack."),
  objects: z.int().describe("Number of objects that were compared."),
});

const sideName = z.enum(["left", "right"]);
const both = <S extends z.ZodType>(schema: S) =>
  z.strictObject({ left: schema.optional(), right: schema.optional() });

export const compareFindingSchema = z.strictObject({
  ...findingParts,
  class: z.enum(comparedClasses).describe("What kind of finding it is."),
  name: z.string().describe("Logical name, such as groups/QA."),
  left: z
    .unknown()
    .optional()
    .describe(
      "What the left side says; a whole object with its arguments. A secret is a keyed fingerprint: hmac:...",
    ),
  right: z.unknown().optional().describe("What the right side says."),
  notKnown: z.array(sideName).optional().describe("Sides that do not know the value."),
  links: both(z.string()).optional().describe("Web addresses of the object."),
  places: both(place).optional().describe("Where a file says it, or would."),
});
export type CompareFinding = z.infer<typeof compareFindingSchema>;

const ignoredSchema = z.strictObject({
  finding: compareFindingSchema,
  reason: z.string().describe("The reason that the exceptions file gives."),
  expires: z.string().optional().describe("The last day on which it is an exception."),
  place: place.optional().describe("Where the exceptions file says so."),
});
export type SuppressedDifference = z.infer<typeof ignoredSchema>;

export const uncomparedSchema = z.strictObject({
  side: sideName,
  type: z.string().describe("Resource type of what could not be read."),
  name: z.string().optional().describe("The object, or the one in which they are; absent for the workspace."),
  reason: z.string().describe("Why."),
  scopes: z.array(z.string()).optional().describe("Scopes that the token needs for it."),
});
export type UncomparedPart = z.infer<typeof uncomparedSchema>;

export const compareReportSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of this form: always 1."),
    tool,
    generatedAt: z.string().describe("When it was made, ISO 8601 in UTC."),
    seconds: z.number().describe("How long it took."),
    left: sideSchema,
    right: sideSchema,
    mapping: z.string().optional().describe("The file that says what is called otherwise on the other side."),
    result: z
      .enum(["same", "different", "incomplete"])
      .describe(
        "different: a finding of the classes in `failOn`; incomplete: none, but not all could be read.",
      ),
    exitCode: z.int().describe("0 the same, 7 different, 10 incomplete."),
    complete: z.boolean().describe("Could all be read?"),
    failOn: z.array(z.enum(comparedClasses)),
    counts: z
      .strictObject({ missing: count, added: count, changed: count, unverifiable: count })
      .describe("Number of findings by class, without exceptions."),
    same: z.int().describe("Number of objects that both sides have, without a difference."),
    findings: z.array(compareFindingSchema),
    ignored: z.array(ignoredSchema).describe("Findings that the exceptions file takes out."),
    incomplete: z.array(uncomparedSchema).describe("What could not be read."),
    hidden: z
      .array(z.strictObject({ type: z.string(), noun: z.string(), arguments: z.array(z.string()) }))
      .describe("Arguments that no side shows of any object, so that they were not compared."),
    warnings: z.array(warningSchema),
    fingerprint: z
      .string()
      .describe("Of the set of findings and of what could not be read: the same for the same set."),
    changedSinceLast: z
      .boolean()
      .optional()
      .describe("With --state-file: whether the fingerprint is another one than at the last run."),
  })
  .meta({ title: "Comparison", description: "What `workspacectl compare --format json` prints." });
export type CompareReport = z.infer<typeof compareReportSchema>;
