/** Runs `workspacectl what-runs`. */
import { readOptions } from "../../../automation/connection/file-facts.js";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { reportHead } from "../../../automation/report/report-schemas.js";
import type { Io } from "../../../reports/io.js";
import { printJson } from "../../../reports/output.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import type { StartEvent } from "../../../workspace-file/runs/list-runs.js";
import { printRuns, runsReport } from "./runs-report.js";
import type { WhatRunsOptions } from "./what-runs-command.js";

/**
 * Shows what an event would run, according to the file. Uses neither the network nor Pulumi.
 * @throws {WorkspaceFileError} when the file is not valid
 */
export function runWhatRuns(options: WhatRunsOptions, io: Io): Promise<number> {
  const { file, json = false } = options;
  const event = parseEvent(options);
  const report = runsReport(file, readDeclarations(file, readOptions(options, io)), event, options);
  if (json) printJson(io, { ...reportHead(1), ...report });
  else printRuns(report, io);
  return Promise.resolve(exitCodes.ok);
}

function parseEvent({ push, pushTag, schedule, manual }: WhatRunsOptions): StartEvent {
  if (push !== undefined) return { kind: "push", ref: "branch", name: push };
  if (pushTag !== undefined) return { kind: "push", ref: "tag", name: pushTag };
  if (schedule === true) return { kind: "schedule" };
  if (manual !== undefined) return { kind: "manual" };
  throw new AutomationError(
    "no event was passed",
    "add --push BRANCH, --push-tag TAG, --schedule or --manual PROJECT/PIPELINE",
  );
}
