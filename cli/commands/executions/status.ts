/** Interprets the status of executions. */
import type { Execution, ExecutionSummary } from "../../../client/index.js";
import { exitCodes } from "../../exit-codes.js";
import type { Io } from "../../terminal/io.js";

const ended: ReadonlySet<string> = new Set(["SUCCESSFUL", "FAILED", "TERMINATED", "SKIPPED"]);

export function hasEnded({ status, finish_date: finished }: ExecutionSummary): boolean {
  return finished != null || ended.has(status);
}

/** Returns the exit code of a command that watches an execution. */
export function exitCodeOf({ status }: Execution): number {
  return status === "SUCCESSFUL" ? exitCodes.ok : exitCodes.runFailed;
}

/** Colors a status. */
export function colored(status: string, { colors }: Pick<Io, "colors">): string {
  if (status === "SUCCESSFUL") return colors.green(status);
  if (status === "FAILED" || status === "TERMINATED") return colors.red(status);
  if (status === "INPROGRESS") return colors.cyan(status);
  return colors.dim(status);
}

/** Formats the duration so far. */
export function executionDuration(
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
