/** Looks at an execution until it ends, or until the user has seen enough. */
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
 * Shows the execution's progress until its end. Ctrl-C ends the watching, never the execution.
 * @throws {CliError} `interrupted`, or with the reason why it can no longer be watched; both say that it goes on
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

/** Where to look and how to stop it. */
function howTo({ text }: PipelineAt, { id }: Execution): string {
  return (
    `\nTo look at it:  workspacectl executions show ${quotedName(text)} ${id}` +
    `\nTo cancel it:   workspacectl executions cancel ${quotedName(text)} ${id}`
  );
}

/** As it has to be typed into a shell. */
export function quotedName(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** Looks often at first, then at a twentieth of the time that went by: an hour's run costs some 700 requests of 5,000. */
function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 20, 300), 5_000);
}

/** Where a run can be seen that nobody watches from here. */
export function printStarted({ text }: PipelineAt, { id, html_url: url }: Execution, io: Io): void {
  if (url != null) note(io, url);
  note(io, `To watch it: workspacectl executions show ${quotedName(text)} ${id} --watch`);
}
