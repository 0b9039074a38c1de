/** Schema of the JSON report of `workspacectl probe`. */
import { z } from "zod";
import { profileSchema, verdicts } from "../../../assumptions/profile.js";
import { count, reportParts, runParts } from "../../reporters/shared-schemas.js";

export const probeReportSchema = z
  .strictObject({
    ...runParts(1),
    workspace: z.string().describe("Domain of the workspace."),
    baseUrl: z.string().describe("Address of the service."),
    exitCode: z.int().describe("7 when an assumption differs, else 0. With `--replay`: 1 when a read fails."),
    requests: count.describe("Number of requests that were sent."),
    counts: z.strictObject({ holds: count, differs: count, undecided: count }),
    assumptions: z.array(
      z.strictObject({
        id: z.string().describe("Its id in docs/decisions.md."),
        title: z.string(),
        assumed: z.string(),
        verdict: z
          .enum(verdicts)
          .describe("`undecided`: it could not be measured, for the reason in `found`."),
        found: z.string().describe("What was found, or why nothing was. No name or value of the workspace."),
        consequence: z.string().optional().describe("Where it differs: what the provider does."),
      }),
    ),
    reads: z
      .array(
        z.strictObject({
          type: z.string().describe("Resource type."),
          objects: count.describe("Objects that were read as an import, a refresh and a preview read them."),
          problems: z.array(z.string()),
        }),
      )
      .optional()
      .describe("With `--replay`: what the provider reads from the recording."),
    profile: profileSchema.describe("What `--save-profile` writes."),
  })
  .meta({ title: "Probe report", description: "What `workspacectl probe --json` prints." });

export type ProbeReport = z.infer<typeof probeReportSchema>;

const side = z.strictObject({
  name: z.string().describe("Name of the connection."),
  baseUrl: z.string().describe("Address of the service."),
  workspace: z.string().describe("Domain of the workspace."),
});

export const probeComparisonSchema = z
  .strictObject({
    ...reportParts(1),
    left: side,
    right: side,
    differences: z.array(
      z.strictObject({
        id: z.string().describe("Id of the assumption in docs/decisions.md."),
        title: z.string(),
        left: z.string().describe("What was found at the left service."),
        right: z.string().describe("What was found at the right service."),
      }),
    ),
    undecided: count.describe("Assumptions that could not be measured at both."),
    exitCode: z.int().describe("7 when the services differ, else 0."),
  })
  .meta({ title: "Probe comparison", description: "What `workspacectl probe --compare --json` prints." });

export type ProbeComparison = z.infer<typeof probeComparisonSchema>;
