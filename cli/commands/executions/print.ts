/** Prints executions, as JSON by the published schema. */
import type { Execution, ExecutionSummary } from "../../../client/index.js";
import { print, type Io } from "../../terminal/io.js";
import { printFacts, printJson, printTable } from "../../terminal/output.js";
import { colorStatus, formatDuration } from "./watch.js";
import { z } from "zod";

const summary = z.looseObject({
  id: z.int(),
  status: z.string().describe("Such as INPROGRESS, SUCCESSFUL or FAILED."),
  start_date: z.string().nullish(),
  finish_date: z.string().nullish().describe("null while it runs."),
});

const execution = summary.extend({
  action_executions: z
    .array(z.looseObject({ status: z.string(), action: z.looseObject({}).nullish() }))
    .nullish()
    .describe("Its actions."),
});

export const executionsReportSchema = z.union([execution, z.array(summary)]).meta({
  title: "Executions",
  description:
    "What `workspacectl executions` and `workspacectl run` print with `--json`: objects of the service, with the fields of its API. Only the fields that every response has are named.",
});

const SHORT_REVISION = 8;

export async function printExecutions(executions: readonly ExecutionSummary[], io: Io): Promise<void> {
  if (executions.length === 0) return print(io, "This pipeline has not run yet.");
  const rows = executions.map((execution) => [
    String(execution.id),
    colorStatus(execution.status, io),
    formatDate(execution.start_date),
    formatDuration(execution),
    execution.branch?.name ?? "",
    execution.to_revision?.revision?.slice(0, SHORT_REVISION) ?? "",
    execution.creator?.name ?? "",
    getFirstLine(execution.comment),
  ]);
  await printTable(io, ["ID", "STATUS", "STARTED", "TOOK", "BRANCH", "REVISION", "BY", "COMMENT"], rows);
}

export async function printExecution(execution: Execution, io: Io): Promise<void> {
  printFacts(io, {
    execution: String(execution.id),
    status: colorStatus(execution.status, io),
    started: formatDate(execution.start_date),
    took: formatDuration(execution),
    mode: execution.mode,
    branch: execution.branch?.name,
    revision: execution.to_revision?.revision,
    by: execution.creator?.name,
    comment: execution.comment,
    web: execution.html_url,
  });
  const actions = execution.action_executions ?? [];
  if (actions.length === 0) return;
  print(io);
  const rows = actions.map(({ action, status, progress }) => [
    action.name ?? "",
    action.type ?? "",
    colorStatus(status, io),
    `${Math.floor(progress ?? 0)} %`,
  ]);
  await printTable(io, ["ACTION", "TYPE", "STATUS", "PROGRESS"], rows);
}

/** Formats a time in the local time zone. */
function formatDate(text: string | null | undefined): string {
  const at = new Date(text ?? "");
  if (Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}

function getFirstLine(text: string | null | undefined): string {
  return text?.split("\n", 1)[0] ?? "";
}

/** Prints the response of the service as JSON, in which secrets in the fields of actions are masked. */
export async function printExecutionJson(execution: unknown, io: Io): Promise<void> {
  const { mapSecrets, MASK } = await import("../../../provider/index.js");
  printJson(
    io,
    mapSecrets(execution, () => MASK),
  );
}
