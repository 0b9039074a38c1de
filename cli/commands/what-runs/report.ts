/** Collects what an event runs, according to a file, for the published report. */
import { suggestOr } from "../../../provider/definition/problems.js";
import { matchesPattern } from "../../../provider/definition/name-pattern.js";
import { withoutSecrets, type LoadedFile } from "../../../workspace-file/load/index.js";
import {
  collectObjects,
  withDescendants,
  type ObjectInFile,
} from "../../../workspace-file/load/objects-in-file.js";
import { listRuns, type PipelineRun, type StartEvent } from "../../../workspace-file/runs/index.js";
import { CliError } from "../../errors.js";
import { z } from "zod";
import { reportParts } from "../../reporters/report-schemas.js";

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

export interface RunsReport {
  readonly file: string;
  readonly event: StartEvent;
  readonly pipelines: readonly PipelineRun[];
  /** Projects that are managed elsewhere: the file does not say which pipelines they have. */
  readonly externalProjects: readonly string[];
}

export interface RunsFilter {
  /** Pattern of the projects. */
  readonly project?: string;
  /** The pipeline that is started, as PROJECT/PIPELINE. */
  readonly manual?: string;
}

/** @throws {CliError} when the file does not declare the pipeline that is started */
export function runsReport(
  file: string,
  loaded: LoadedFile,
  event: StartEvent,
  { project, manual }: RunsFilter,
): RunsReport {
  const workspace = collectObjects(withoutSecrets(loaded));
  if (manual !== undefined) checkExists(workspace, manual);
  const fits = (name: string) => project === undefined || matchesPattern(project, name);
  const pipelines = listRuns(
    workspace,
    event,
    (name, pipeline) => fits(name) && (manual === undefined || manual === `${name}/${pipeline}`),
  );
  // Pipelines of these projects may not be in the file at all.
  const externalProjects = workspace
    .children("Project")
    .filter(({ external }) => external)
    .map(({ args }) => String(args["name"]))
    .filter((name) => manual === undefined && fits(name));
  return { file, event, pipelines, externalProjects };
}

function checkExists(workspace: ObjectInFile, wanted: string): void {
  const names = [...withDescendants(workspace)]
    .filter(({ type }) => type === "Pipeline")
    .map(({ args, parent }) => `${String(parent?.args["name"])}/${String(args["name"])}`);
  if (names.includes(wanted)) return;
  throw new CliError(
    `there is no pipeline ${wanted} in the file`,
    suggestOr(wanted, names, "write it as PROJECT/PIPELINE"),
  );
}
