/** Shows the progress of an execution: a live view on a terminal, one line per change elsewhere. */
import type { Execution } from "../../../client/index.js";
import { plain } from "../../../client/printable.js";
import { liveText, note, type Io } from "../../terminal/io.js";
import { colored, executionDuration } from "./status.js";

export interface ProgressView {
  show(execution: Execution): void;
  /** Preserves the last view. */
  end(): void;
}

/** Writes to stderr: stdout is for the result. */
export async function progressView(io: Io): Promise<ProgressView> {
  if (io.stderr.isTTY !== true) return lines(io);
  const live = await liveText(io);
  return { show: (execution) => live.show(picture(execution, io)), end: () => live.done() };
}

interface Step {
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly progress: number;
}

function steps({ action_executions: actions }: Execution): Step[] {
  return (actions ?? []).map(({ action, status, progress }, index) => ({
    key: String(action.id ?? index),
    name: plain(action.name ?? `action ${index + 1}`),
    status,
    progress: progress ?? 0,
  }));
}

function picture(execution: Execution, io: Io): string {
  const all = steps(execution);
  const width = Math.max(0, ...all.map(({ name }) => name.length));
  const rows = all.map(({ name, status, progress }) => {
    const percent = status === "INPROGRESS" && progress > 0 ? ` ${Math.floor(progress)} %` : "";
    return `  ${name.padEnd(width)}  ${colored(status, io)}${percent}`;
  });
  const head = `Execution ${execution.id}: ${colored(execution.status, io)} ${io.colors.dim(executionDuration(execution))}`;
  return [head, ...rows].join("\n");
}

function lines(io: Io): ProgressView {
  const shown = new Map<string, string>();
  const changed = (key: string, status: string) => shown.get(key) !== status && shown.set(key, status);
  return {
    show(execution) {
      // A waiting action is INPROGRESS too, at 0 %, and is shown once it progresses.
      const told = steps(execution).filter(({ status, progress }) => status !== "INPROGRESS" || progress > 0);
      for (const { key, name, status } of told) {
        if (changed(key, status)) note(io, `${name}: ${colored(status, io)}`);
      }
      if (changed("", execution.status))
        note(io, `Execution ${execution.id}: ${colored(execution.status, io)}`);
    },
    end: () => undefined,
  };
}
