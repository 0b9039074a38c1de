/** Collects what an event runs, according to a file. */
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
