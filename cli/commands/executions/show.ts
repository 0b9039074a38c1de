/** Shows executions: prints them, as JSON by the published schema, and watches one until it ends or the user interrupts. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { OpenService } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Execution, ExecutionSummary } from "../../../client/index.js";
import { stripControls } from "../../../client/printable.js";
import { handleSignals } from "../../../recovery/signals.js";
import { type Io, openLiveText, print } from "../../../reports/io.js";
import { printFacts, printJson, printTable } from "../../../reports/output.js";
import { formatLocalTime } from "../../../text/clock.js";
import { formatCommandLine } from "../../../text/safe-text.js";
import type { PipelineAt } from "./run-executions.js";

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

function formatDate(text: string | null | undefined): string {
  const at = new Date(text ?? "");
  return Number.isNaN(at.getTime()) ? "" : formatLocalTime(at);
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

/**
 * Shows the execution's progress until its end. Ctrl-C stops watching, but not the execution.
 * @throws {AutomationError} when interrupted, or when it can no longer be watched; the execution continues
 */
export async function watch(
  { client }: OpenService,
  pipeline: PipelineAt,
  started: Execution,
  io: Io,
): Promise<Execution> {
  const { domain, project, id } = pipeline;
  const view = await chooseProgressView(io);
  const abort = new AbortController();
  const stop = () => abort.abort();
  const endListening = handleSignals(stop);
  const since = Date.now();
  try {
    let execution = started;
    for (view.show(execution); !hasEnded(execution); view.show(execution)) {
      await sleep(pauseAfter(Date.now() - since), undefined, { signal: abort.signal });
      execution = await client.executions.get(domain, project, id, started.id, { signal: abort.signal });
    }
    return execution;
  } catch (error) {
    const goesOn = `execution ${started.id} continues`;
    if (abort.signal.aborted)
      throw new AutomationError(`Stopped watching; ${goesOn}.`, formatHowTo(pipeline, started), {
        code: "interrupted",
      });
    throw new AutomationError(
      `${goesOn}, but can no longer be watched: ${(error as Error).message}`,
      formatHowTo(pipeline, started),
      { cause: error },
    );
  } finally {
    view.end();
    endListening();
  }
}

/** Returns the commands that show and cancel the execution. */
function formatHowTo({ text }: PipelineAt, { id }: Execution): string {
  const about = formatCommandLine([text, String(id)]);
  return (
    `To show it:     workspacectl executions show ${about}` +
    `\nTo cancel it:   workspacectl executions cancel ${about}`
  );
}

/** Polls often at first, then after a twentieth of the elapsed time: an hour takes some 700 of 5,000 requests. */
function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 20, 300), 5_000);
}

/** Prints how to watch an execution. */
export function printStarted({ text }: PipelineAt, { id, html_url: url }: Execution, io: Io): void {
  if (url != null) note(io, url);
  note(io, `To watch it: workspacectl executions show ${formatCommandLine([text, String(id)])} --watch`);
}

interface ProgressView {
  show(execution: Execution): void;
  /** Preserves the last view. */
  end(): void;
}

/** Writes to stderr: stdout is for the result. */
async function chooseProgressView(io: Io): Promise<ProgressView> {
  if (io.stderr.isTTY !== true) return printLines(io);
  const live = await openLiveText(io);
  return { show: (execution) => live.show(drawExecution(execution, io)), end: () => live.done() };
}

interface Step {
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly progress: number;
}

function listStepsOf({ action_executions: actions }: Execution): Step[] {
  return (actions ?? []).map(({ action, status, progress }, index) => ({
    key: String(action.id ?? index),
    name: stripControls(action.name ?? `action ${index + 1}`),
    status,
    progress: progress ?? 0,
  }));
}

function drawExecution(execution: Execution, io: Io): string {
  const all = listStepsOf(execution);
  const width = Math.max(0, ...all.map(({ name }) => name.length));
  const rows = all.map(({ name, status, progress }) => {
    const percent = status === "INPROGRESS" && progress > 0 ? ` ${Math.floor(progress)} %` : "";
    return `  ${name.padEnd(width)}  ${colorStatus(status, io)}${percent}`;
  });
  const head = `Execution ${execution.id}: ${colorStatus(execution.status, io)} ${io.colors.dim(formatDuration(execution))}`;
  return [head, ...rows].join("\n");
}

function printLines(io: Io): ProgressView {
  const shown = new Map<string, string>();
  const changed = (key: string, status: string) => shown.get(key) !== status && shown.set(key, status);
  return {
    show(execution) {
      // A waiting action is INPROGRESS too, at 0 %, and is shown once it progresses.
      const shown = listStepsOf(execution).filter(
        ({ status, progress }) => status !== "INPROGRESS" || progress > 0,
      );
      for (const { key, name, status } of shown) {
        if (changed(key, status)) note(io, `${name}: ${colorStatus(status, io)}`);
      }
      if (changed("", execution.status))
        note(io, `Execution ${execution.id}: ${colorStatus(execution.status, io)}`);
    },
    end: () => undefined,
  };
}

const ended: ReadonlySet<string> = new Set(["SUCCESSFUL", "FAILED", "TERMINATED", "SKIPPED"]);

export function hasEnded({ status, finish_date: finished }: ExecutionSummary): boolean {
  return finished != null || ended.has(status);
}

/** Returns the exit code of a command that watches an execution. */
export function getExitCodeOf({ status }: Execution): number {
  return status === "SUCCESSFUL" ? exitCodes.ok : exitCodes.runFailed;
}

/** Colors a status. */
function colorStatus(status: string, { colors }: Pick<Io, "colors">): string {
  if (status === "SUCCESSFUL") return colors.green(status);
  if (status === "FAILED" || status === "TERMINATED") return colors.red(status);
  if (status === "INPROGRESS") return colors.cyan(status);
  return colors.dim(status);
}

/** Formats the duration so far. */
function formatDuration(
  { start_date: start, finish_date: finish }: ExecutionSummary,
  now = Date.now(),
): string {
  const from = Date.parse(start ?? "");
  const to = finish == null ? now : Date.parse(finish);
  if (Number.isNaN(from) || Number.isNaN(to)) return "";
  const seconds = Math.max(0, Math.round((to - from) / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`;
}
