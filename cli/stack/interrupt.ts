/** Ctrl-C during an operation: Pulumi finishes what is under way and saves; we wait for it. */
import { CliError } from "../errors.js";
import { exitCodes } from "../exit-codes.js";
import { note, type Io } from "../io.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs work that is to end well when a signal comes. On a terminal Ctrl-C reaches the Pulumi process too, so all there
 * is to do is wait: handing it on would count as a second Ctrl-C, on which Pulumi leaves objects pending. A signal that
 * was sent to this process alone is handed on, once.
 */
export async function withInterrupts<T>(io: Io, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let interrupted = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!interrupted) note(io, "Stopping: what is under way is finished and saved ...");
    interrupted = true;
    if (!(signal === "SIGINT" && io.stdin.isTTY)) abort.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(abort.signal);
  } catch (error) {
    if (!interrupted) throw error;
    const message = "interrupted; what was done is in the state. Run the command again to go on";
    throw new CliError(message, exitCodes.interrupted, { cause: error });
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
