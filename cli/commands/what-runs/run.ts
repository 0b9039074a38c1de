import { hint } from "../../../provider/definition/problems.js";
import { readDeclarations, withoutSecrets } from "../../../workspace-file/load/index.js";
import { objectsIn, withDescendants, type ObjectInFile } from "../../../workspace-file/load/objects.js";
import { whatRuns as runsOf, type StartEvent } from "../../../workspace-file/runs/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { readOptions, type DocumentOptions } from "../../options/document.js";
import { matchesPattern } from "../../../provider/definition/name-pattern.js";
import type { Io } from "../../terminal/io.js";
import { printJson } from "../../terminal/output.js";
import { printRuns, type RunsReport } from "./print.js";

export interface WhatRunsOptions extends DocumentOptions {
  readonly push?: string;
  readonly pushTag?: string;
  readonly schedule?: boolean;
  readonly manual?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/**
 * Shows what an event would run, according to the file. Uses neither the network nor Pulumi.
 * @throws {WorkspaceFileError} when the file is not valid
 */
export function whatRuns(options: WhatRunsOptions, io: Io): Promise<number> {
  const { file, project, manual, json = false } = options;
  const event = eventOf(options);
  const loaded = readDeclarations(file, readOptions(options, io));
  const workspace = objectsIn(withoutSecrets(loaded));
  if (manual !== undefined) checkExists(workspace, manual);
  const runs = runsOf(
    workspace,
    event,
    (name, pipeline) =>
      (project === undefined || matchesPattern(project, name)) &&
      (manual === undefined || manual === `${name}/${pipeline}`),
  );
  // Pipelines of these projects may not be in the file at all.
  const elsewhere = workspace
    .children("Project")
    .filter(({ external }) => external)
    .map(({ args }) => String(args["name"]))
    .filter((name) => manual === undefined && (project === undefined || matchesPattern(project, name)));
  const report: RunsReport = { file, event, pipelines: runs, externalProjects: elsewhere };
  if (json) printJson(io, report);
  else printRuns(report, io);
  return Promise.resolve(exitCodes.ok);
}

function eventOf({ push, pushTag, schedule, manual }: WhatRunsOptions): StartEvent {
  if (push !== undefined) return { kind: "push", ref: "branch", name: push };
  if (pushTag !== undefined) return { kind: "push", ref: "tag", name: pushTag };
  if (schedule === true) return { kind: "schedule" };
  if (manual !== undefined) return { kind: "manual" };
  throw new CliError(
    "name the event: --push BRANCH, --push-tag TAG, --schedule or --manual PROJECT/PIPELINE",
  );
}

function checkExists(workspace: ObjectInFile, wanted: string): void {
  const names = [...withDescendants(workspace)]
    .filter(({ type }) => type === "Pipeline")
    .map(({ args, parent }) => `${String(parent?.args["name"])}/${String(args["name"])}`);
  if (names.includes(wanted)) return;
  throw new CliError(
    `there is no pipeline ${wanted} in the file${hint(wanted, names) || ": name it as PROJECT/PIPELINE"}`,
  );
}
