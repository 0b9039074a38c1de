/** Prints what an event runs, for people. */
import type {
  ActionInRun,
  PipelineRun,
  RunActions,
  StartEvent,
  VisibleVariable,
} from "../../../workspace-file/runs/index.js";
import { stripControls } from "../../reporters/format-values.js";
import { print, type Io } from "../../terminal/io.js";
import type { RunsReport } from "./report.js";

export function printRuns({ event, pipelines, externalProjects }: RunsReport, io: Io): void {
  const started = pipelines.filter(({ starts }) => starts === "yes");
  const unsure = pipelines.filter(({ starts }) => starts !== "yes");
  const count = started.length === 1 ? "1 pipeline" : `${started.length || "no"} pipelines`;
  print(io, `${formatEvent(event)} starts ${count}${started.length > 0 ? ":" : "."}`);
  for (const run of started) printRun(run, io);
  const remarks = [
    ...unsure.map((run) => `whether ${formatTitle(run)} starts: ${run.note ?? ""}`),
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
