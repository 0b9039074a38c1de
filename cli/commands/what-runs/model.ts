/** Schema of the JSON report of `workspacectl what-runs`. */
import { z } from "zod";
import { reportParts } from "../../reporters/shared-schemas.js";

const action = z.strictObject({
  name: z.string(),
  type: z.string().describe("Such as BUILD."),
  condition: z.string().optional().describe("Condition under which it runs."),
  notKnown: z.string().optional().describe("Why it is not known whether, or when, it runs."),
});

const variable = z.strictObject({
  key: z.string(),
  scope: z.enum(["workspace", "project", "pipeline", "action"]),
  value: z
    .string()
    .nullable()
    .describe("As `render` shows it: secrets are placeholders or [secret]; null when it is set elsewhere."),
  encrypted: z.boolean(),
  settable: z.boolean().describe("Actions may change it during the run."),
});

export const runsReportSchema = z
  .strictObject({
    ...reportParts(1),
    file: z.string().describe("The workspace file."),
    event: z.union([
      z.strictObject({ kind: z.literal("push"), ref: z.enum(["branch", "tag"]), name: z.string() }),
      z.strictObject({ kind: z.literal("schedule") }),
      z.strictObject({ kind: z.literal("manual") }),
    ]),
    pipelines: z
      .array(
        z.strictObject({
          project: z.string(),
          pipeline: z.string(),
          starts: z.enum(["yes", "not known"]),
          note: z.string().optional().describe("Condition, or why it is not known."),
          trigger: z.record(z.string(), z.string()).describe("The trigger, as the file declares it."),
          actions: z.strictObject({
            always: z.array(action).describe("Actions of every run, in order."),
            onFailure: z.array(action).describe("Actions of a run that fails."),
            onBackToSuccess: z
              .array(action)
              .describe("Actions of a run that succeeds after one that failed."),
            notKnown: z.array(action).describe("Actions of which it is not known when they run."),
            disabled: z.array(z.string()).describe("Names of the actions that do not run."),
          }),
          variables: z.array(variable).describe("Variables that all actions see, from the workspace in."),
          actionVariables: z
            .record(z.string(), z.array(variable))
            .describe("Variables of single actions, by the name of the action."),
          ambiguous: z
            .record(z.string(), z.array(z.string()))
            .describe("Keys of variables that several scopes declare, by the name of the action."),
        }),
      )
      .describe("The pipelines that start, or may start."),
    externalProjects: z
      .array(z.string())
      .describe("Projects that are managed elsewhere: the file does not say which pipelines they have."),
  })
  .meta({ title: "What runs", description: "What `workspacectl what-runs --json` prints." });
