/** Schema of the JSON report of `workspacectl drift`, and its types. */
import { z } from "zod";
import { warningSchema } from "../../reporters/suppressions.js";
import { count, findingParts, place, tool } from "../../reporters/published.js";
import { findingClasses, type FindingClass } from "./classes.js";

export { findingClasses, type FindingClass } from "./classes.js";

export const driftClassDescriptions: Readonly<Record<FindingClass, string>> = {
  deleted: "Declared and applied, but gone from the workspace.",
  changed: "A value in the workspace is not the one that was applied.",
  added: "In the workspace, in scope, and not declared.",
  pending: "Declared, but not applied yet: the file differs from the last applied state.",
  unverifiable:
    "A declared value that the service never shows, so that nobody can tell whether it is still there.",
};

/** Classes that lead to exit code 7 unless `--fail-on` selects others. */
export const driftFailOn: readonly FindingClass[] = ["deleted", "changed", "added"];

const value = z.unknown().optional();

export const driftFindingSchema = z.strictObject({
  id: findingParts.id,
  class: z.enum(findingClasses).describe("What kind of finding it is."),
  type: findingParts.type,
  name: z
    .string()
    .describe("Logical name, such as groups/QA; of an object that nobody declared, the one it would have."),
  path: findingParts.path,
  pathParts: findingParts.pathParts,
  operation: z
    .enum(["create", "update", "replace", "delete", "release"])
    .optional()
    .describe("Of what is pending: what `up` will do."),
  declared: value.describe("What the file says. A secret is a keyed fingerprint: hmac:..."),
  applied: value.describe("What the last `up` left, as far as the state tells."),
  live: value.describe("What is in the workspace now."),
  secret: findingParts.secret,
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe("Names of the objects whose numbers are values."),
  note: findingParts.note,
  link: z.string().optional().describe("Web address of the object, or of what it stands in."),
  place: place.optional(),
});
export type DriftFinding = z.infer<typeof driftFindingSchema>;

const ignoredSchema = z.strictObject({
  finding: driftFindingSchema,
  reason: z.string().describe("The reason that the ignore file gives."),
  expires: z.string().optional().describe("The last day on which it is ignored."),
  place: place.optional().describe("Where the ignore file says so."),
});
export type SuppressedDrift = z.infer<typeof ignoredSchema>;

export const unreadSchema = z.strictObject({
  type: z.string().describe("Resource type of what could not be read."),
  name: z.string().optional().describe("The object; or, with `list`, the object whose list it is."),
  list: z.boolean().describe("A list of what is there could not be read, instead of an object."),
  reason: z.string().describe("Why."),
  scopes: z.array(z.string()).optional().describe("Scopes that the token needs for it."),
});
export type UnreadObject = z.infer<typeof unreadSchema>;

export type { Warning } from "../../reporters/suppressions.js";

export const driftReportSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of this form: always 1."),
    tool,
    generatedAt: z.string().describe("When it was made, ISO 8601 in UTC."),
    seconds: z.number().describe("How long it took."),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    stack: z.string().describe("The Pulumi stack whose state was compared."),
    file: z.string().describe("The workspace file."),
    result: z
      .enum(["clean", "drift", "incomplete"])
      .describe("drift: a finding of the classes in `failOn`; incomplete: none, but not all could be read."),
    exitCode: z.int().describe("0 clean, 7 drift, 10 incomplete."),
    complete: z.boolean().describe("Could all be read?"),
    failOn: z.array(z.enum(findingClasses)),
    counts: z
      .strictObject({ deleted: count, changed: count, added: count, pending: count, unverifiable: count })
      .describe("Number of findings by class, without ignored ones."),
    unchanged: z.int().describe("Number of declared objects without a finding."),
    findings: z.array(driftFindingSchema),
    ignored: z.array(ignoredSchema).describe("Findings that the ignore file takes out."),
    incomplete: z.array(unreadSchema).describe("What could not be read."),
    warnings: z.array(warningSchema),
    fingerprint: z
      .string()
      .describe(
        "Of the set of findings and of what could not be read: the same for the same set, whenever and wherever.",
      ),
    changedSinceLast: z
      .boolean()
      .optional()
      .describe("With --state-file: whether the fingerprint is another one than at the last run."),
  })
  .meta({
    title: "Drift report",
    description: "What `workspacectl drift --format json` prints.",
  });
export type DriftReport = z.infer<typeof driftReportSchema>;
