/** Ctrl-C during an operation: Pulumi finishes what is under way and saves; we wait for it. A second one stops at once. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { note, type Io } from "../../terminal/io.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long Pulumi has to say that it got a Ctrl-C, before it is handed on. It takes about a tenth of that. */
const PATIENCE_MS = 2000;

/** What an operation of Pulumi's takes and tells, so that it can be interrupted. */
export interface Interrupts {
  /** Each time it says "abort", Pulumi's process gets a signal. */
  readonly signal: AbortSignal;
  /** To be told of all that the engine says. */
  readonly heard: (event: EngineEvent) => void;
}

/**
 * Runs work that is to end well when a signal comes. Ctrl-C on a terminal reaches the Pulumi process too, and a second one
 * makes it leave objects pending: so a signal is handed on only when Pulumi does not say that it got it by itself.
 */
export async function withInterrupts<T>(io: Io, work: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const waiting = new Set<NodeJS.Timeout>();
  let [signals, received] = [0, 0];
  const later = (number: number) => waiting.add(setTimeout(() => handOn(number), PATIENCE_MS));
  const handOn = (number: number) => {
    if (received >= number) return;
    if (abort.signal.aborted) abort.signal.dispatchEvent(new Event("abort"));
    else abort.abort();
    // A process that had no time between two signals gets one. The second is sent until Pulumi says so; the first only once, since
    // two of it are a second.
    if (number === 2) later(number);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const number = ++signals;
    if (number > 2) return;
    note(io, number === 1 ? STOPPING : STOPPING_AT_ONCE);
    // The other signals end Pulumi where they reach it, so it did not get them.
    if (signal === "SIGINT") later(number);
    else handOn(number);
  };
  const heard = ({ stdoutEvent }: EngineEvent) => {
    const [, goesOn] = /\^C received; (\w+)/.exec(stdoutEvent?.message ?? "") ?? [];
    if (goesOn !== undefined) received = Math.max(received, goesOn === "terminating" ? 2 : 1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work({ signal: abort.signal, heard });
  } catch (error) {
    if (signals === 0) throw error;
    const message = signals === 1 ? INTERRUPTED : STOPPED_AT_ONCE;
    throw new CliError(message, exitCodes.interrupted, { cause: error });
  } finally {
    for (const timer of waiting) clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

const STOPPING =
  "Stopping: what is under way is finished and saved. Press Ctrl-C again to stop at once, and leave that to the next run ...";
const STOPPING_AT_ONCE = "Stopping at once: the next run looks for what was being made ...";
const INTERRUPTED = "interrupted; what was done is in the state. Run the command again to go on";
const STOPPED_AT_ONCE =
  "stopped at once; what was being made may not be in the state yet. Run the command again: it looks for that, and goes on";
