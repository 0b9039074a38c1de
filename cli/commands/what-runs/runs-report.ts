/** Collects what an event runs, according to a file, for the published report. */
import { z } from "zod";
import { AutomationError } from "../../../automation/errors.js";
import { reportParts } from "../../../automation/report/report-schemas.js";
import { stripControls } from "../../../client/printable.js";
import { type Io, print } from "../../../reports/io.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { type LoadedFile, withoutSecrets } from "../../../workspace-file/load/load.js";
import {
  collectObjects,
  type ObjectInFile,
  withDescendants,
} from "../../../workspace-file/load/objects-in-file.js";
import {
  type ActionInRun,
  listRuns,
  type PipelineRun,
  type RunActions,
  type StartEvent,
  type VisibleVariable,
} from "../../../workspace-file/runs/list-runs.js";

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
          scheduleDoubts: z
            .array(z.string())
            .optional()
            .describe("What is not known about the times of its schedule."),
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

interface RunsReport {
  readonly file: string;
  readonly event: StartEvent;
  readonly pipelines: readonly PipelineRun[];
  /** Projects that are managed elsewhere: the file does not say which pipelines they have. */
  readonly externalProjects: readonly string[];
}

interface RunsFilter {
  /** Pattern of the projects. */
  readonly project?: string;
  /** The pipeline that is started, as PROJECT/PIPELINE. */
  readonly manual?: string;
}

/** @throws {AutomationError} when the file does not declare the pipeline that is started */
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
  throw new AutomationError(
    `there is no pipeline ${wanted} in the file`,
    suggestOr(wanted, names, "write it as PROJECT/PIPELINE"),
  );
}

export function printRuns({ event, pipelines, externalProjects }: RunsReport, io: Io): void {
  const started = pipelines.filter(({ starts }) => starts === "yes");
  const unsure = pipelines.filter(({ starts }) => starts !== "yes");
  const count = started.length === 1 ? "1 pipeline" : `${started.length || "no"} pipelines`;
  print(io, `${formatEvent(event)} starts ${count}${started.length > 0 ? ":" : "."}`);
  for (const run of started) printRun(run, io);
  const remarks = [
    ...unsure.map((run) => `whether ${formatTitle(run)} starts: ${run.note ?? ""}`),
    ...(event.kind === "schedule" ? listScheduleDoubts(started) : []),
    ...externalProjects.map(
      (name) => `the pipelines of project ${stripControls(name)}, which is managed elsewhere`,
    ),
    ...(started.some(({ actions }) => actions.always.length > 1)
      ? ["whether actions after one that failed still run"]
      : []),
    ...listAmbiguities(started),
  ];
  if (remarks.length > 0) print(io, `\n${io.colors.bold("Not known:")}`);
  for (const remark of remarks) print(io, `  ${remark}`);
}

/** Names each doubt once, with the pipelines that it concerns. */
function listScheduleDoubts(runs: readonly PipelineRun[]): string[] {
  const doubts = new Set(runs.flatMap(({ scheduleDoubts = [] }) => scheduleDoubts));
  return [...doubts].map((doubt) => {
    const concerned = runs.filter(({ scheduleDoubts = [] }) => scheduleDoubts.includes(doubt));
    return `${doubt} (${concerned.map(formatTitle).join(", ")})`;
  });
}

function formatEvent(event: StartEvent): string {
  if (event.kind === "push")
    return `A push ${event.ref === "branch" ? "to branch" : "of tag"} ${stripControls(event.name)}`;
  return event.kind === "schedule" ? "The clock" : "A manual start";
}

function formatTitle({ project, pipeline }: PipelineRun): string {
  return `${stripControls(project)}/${stripControls(pipeline)}`;
}

function printRun(run: PipelineRun, io: Io): void {
  const { actions, note, trigger, variables, actionVariables } = run;
  const { bold, dim } = io.colors;
  print(io, `\n${bold(formatTitle(run))}  ${dim(triggerText(trigger))}`);
  if (note !== undefined) print(io, `  ${note}`);
  for (const [title, list] of groupActions(actions)) {
    if (list.length === 0) continue;
    print(io, `  ${title}`);
    const width = Math.max(...list.map(({ name }) => stripControls(name).length));
    for (const [index, action] of list.entries())
      print(io, `    ${formatActionText(action, index + 1, width, io)}`);
  }
  if (actions.always.length === 0) print(io, "  no action runs in every run");
  if (actions.disabled.length > 0) print(io, `  disabled: ${actions.disabled.map(stripControls).join(", ")}`);
  printVariables("variables", variables, io);
  for (const [name, list] of Object.entries(actionVariables))
    printVariables(`variables of ${stripControls(name)}`, list, io);
}

function triggerText(trigger: PipelineRun["trigger"]): string {
  const { triggerMode = "", refType = "ref", refName, cron, startDate, delay } = trigger;
  const ref = refName === undefined ? "" : `, ${refType.toLowerCase()} ${refName}`;
  const interval = startDate === undefined ? "" : `, from ${startDate} with delay ${delay ?? ""}`;
  return stripControls(`${triggerMode}${ref}${cron === undefined ? interval : `, cron ${cron}`}`);
}

function groupActions(actions: RunActions): (readonly [string, readonly ActionInRun[]])[] {
  return [
    ["in every run, in this order", actions.always],
    ["when the run fails", actions.onFailure],
    ["when the run succeeds after one that failed", actions.onBackToSuccess],
    ["not known when", actions.notKnown],
  ];
}

function formatActionText(
  { name, type, condition, notKnown }: ActionInRun,
  number: number,
  width: number,
  io: Io,
): string {
  const unsure = notKnown === undefined ? undefined : `not known: ${notKnown}`;
  const details = [condition, unsure].filter((one) => one !== undefined).join("; ");
  const head = `${number}  ${stripControls(name).padEnd(width)}  ${stripControls(type)}`;
  return details === "" ? head : `${head}  ${io.colors.dim(details)}`;
}

function printVariables(title: string, variables: readonly VisibleVariable[], io: Io): void {
  if (variables.length > 0) print(io, `  ${title}`);
  for (const variable of variables) print(io, `    ${formatVariableText(variable)}`);
}

function formatVariableText({ key, scope, value, encrypted, settable }: VisibleVariable): string {
  const facts = [
    scope,
    ...(encrypted ? ["encrypted"] : []),
    ...(settable ? ["may be set by an action"] : []),
  ];
  return `${stripControls(key)}: ${value === null ? "not known" : stripControls(value)} (${facts.join(", ")})`;
}

function listAmbiguities(runs: readonly PipelineRun[]): string[] {
  const keys = new Set(runs.flatMap(({ ambiguous }) => Object.values(ambiguous).flat()));
  return [...keys].map(
    (key) => `which value of ${stripControls(key)} is used: it is declared in several scopes`,
  );
}
