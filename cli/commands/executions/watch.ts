/** Watches an execution until it ends, or until the user interrupts. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Execution } from "../../../client/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { note, type Io } from "../../terminal/io.js";
import type { OpenService } from "../../connection/api-client.js";
import type { PipelineAt } from "./pipeline.js";
import { progressView } from "./progress.js";
import { hasEnded } from "./status.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Shows the execution's progress until its end. Ctrl-C stops watching, but not the execution.
 * @throws {CliError} when interrupted, or when it can no longer be watched; the execution continues
 */
export async function watch(
  { client }: OpenService,
  pipeline: PipelineAt,
  started: Execution,
  io: Io,
): Promise<Execution> {
  const { domain, project, id } = pipeline;
  const view = await progressView(io);
  const abort = new AbortController();
  const stop = () => abort.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  const since = Date.now();
  try {
    let execution = started;
    for (view.show(execution); !hasEnded(execution); view.show(execution)) {
      await sleep(pauseAfter(Date.now() - since), undefined, { signal: abort.signal });
      execution = await client.executions.get(domain, project, id, started.id, { signal: abort.signal });
    }
    return execution;
  } catch (error) {
    const goesOn = `execution ${started.id} goes on`;
    if (abort.signal.aborted)
      throw new CliError(`Stopped watching; ${goesOn}.${howTo(pipeline, started)}`, exitCodes.interrupted);
    throw new CliError(
      `${goesOn}, but can no longer be watched: ${(error as Error).message}${howTo(pipeline, started)}`,
      exitCodes.error,
      { cause: error },
    );
  } finally {
    view.end();
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Returns the commands that show and cancel the execution. */
function howTo({ text }: PipelineAt, { id }: Execution): string {
  return (
    `\nTo look at it:  workspacectl executions show ${quotedName(text)} ${id}` +
    `\nTo cancel it:   workspacectl executions cancel ${quotedName(text)} ${id}`
  );
}

/** Quotes a text for a shell. */
export function quotedName(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Polls often at first, then after a twentieth of the elapsed time: an hour takes some 700 of 5,000 requests. */
function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 20, 300), 5_000);
}

/** Prints how to watch an execution. */
export function printStarted({ text }: PipelineAt, { id, html_url: url }: Execution, io: Io): void {
  if (url != null) note(io, url);
  note(io, `To watch it: workspacectl executions show ${quotedName(text)} ${id} --watch`);
}
