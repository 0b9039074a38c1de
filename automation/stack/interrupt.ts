/** Handles Ctrl-C during an operation: Pulumi finishes running requests and saves. A second Ctrl-C stops at once. */
import { once } from "node:events";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { recordChange } from "../../client/changes.js";
import { handleSignals } from "../../recovery/signals.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";

/** Time for Pulumi to acknowledge a signal before it is sent again. Pulumi takes about a tenth of it. */
const PATIENCE_MS = 2000;

/** Pulumi was ended by a signal, so it may not have written the state. */
export class EngineKilledError extends Error {}

/** Connects an operation with the handling of interrupts. */
export interface Interrupts {
  /** Each "abort" event sends a signal to Pulumi's process. */
  readonly signal: AbortSignal;
  /** Receives every event of the engine. */
  readonly onEngineEvent: (event: EngineEvent) => void;
}

/**
 * Runs work that ends cleanly on a signal. Pulumi runs in a process group of its own, so whoever sends the signal and to how many processes, it
 * gets none but those that are forwarded. On Windows, which has no such groups, Ctrl-C reaches it too, and a second one makes it leave objects
 * pending. So one is forwarded there only when Pulumi does not acknowledge its own.
 * @param dry whether the work writes nothing
 */
export async function withInterrupts<T>(
  io: Port,
  work: (interrupts: Interrupts) => Promise<T>,
  dry = false,
): Promise<T> {
  if (!dry) recordChange();
  const abort = new AbortController();
  const waiting = new Set<NodeJS.Timeout>();
  let [signals, received] = [0, 0];
  const later = (number: number) => waiting.add(setTimeout(() => handOn(number), PATIENCE_MS));
  const handOn = (number: number) => {
    if (received >= number) return;
    if (abort.signal.aborted) abort.signal.dispatchEvent(new Event("abort"));
    else abort.abort();
    // A process may merge two signals that arrive together. The second is sent until Pulumi acknowledges it; the first only once,
    // because repeating it would count as the second.
    if (number === 2) later(number);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const number = ++signals;
    if (number > 2) return;
    // A program knows that it has stopped the operation.
    if (io.signal === undefined && !dry) note(io, number === 1 ? STOPPING : STOPPING_AT_ONCE);
    if (signal === "SIGINT" && process.platform === "win32") later(number);
    else handOn(number);
  };
  const end = listenForStop(io, onSignal);
  const onEngineEvent = ({ stdoutEvent }: EngineEvent) => {
    const [, goesOn] = /\^C received; (\w+)/.exec(stdoutEvent?.message ?? "") ?? [];
    if (goesOn !== undefined) received = Math.max(received, goesOn === "terminating" ? 2 : 1);
  };
  try {
    return await work({ signal: abort.signal, onEngineEvent });
  } catch (error) {
    if (signals === 0) throw error;
    const isOrderly = signals === 1 && !(error instanceof EngineKilledError);
    throw createInterruptedError(dry ? WROTE_NOTHING : isOrderly ? INTERRUPTED : STOPPED_AT_ONCE, error);
  } finally {
    for (const timer of waiting) clearTimeout(timer);
    end();
  }
}

/**
 * Calls a function when whoever runs an operation stops it: by signals to this process, or, where a program runs it, by its own signal.
 * @returns what ends it
 */
export function listenForStop(
  { signal }: Pick<Port, "signal">,
  stop: (signal: NodeJS.Signals) => void,
  times: "on" | "once" = "on",
): () => void {
  if (signal === undefined) return handleSignals(stop, { times });
  const onAbort = () => stop("SIGTERM");
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}

const STOPPING =
  "Stopping: running operations finish and are saved. Press Ctrl-C again to stop at once; the next run then recovers them ...";
const STOPPING_AT_ONCE = "Stopping at once: the next run looks for what was being created ...";
const INTERRUPTED = [
  "interrupted; what was done is in the state",
  "Run the command again to continue",
] as const;
const WROTE_NOTHING = ["interrupted; nothing was changed", "Run the command again"] as const;
const STOPPED_AT_ONCE = [
  "stopped at once; what was being created may not be in the state yet",
  "Run the command again: it finds that, and continues",
] as const;

function createInterruptedError(
  [message, remedy]: readonly [string, string],
  cause?: unknown,
): AutomationError {
  return new AutomationError(message, remedy, { code: "interrupted", cause });
}

/** Waits before anything is changed. @throws {AutomationError} as soon as somebody stops the command */
export async function withStop(io: Port, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const end = listenForStop(io, () => abort.abort(), "once");
  try {
    abort.signal.throwIfAborted();
    await wait(abort.signal);
  } catch (error) {
    throw abort.signal.aborted ? createInterruptedError(WROTE_NOTHING, error) : error;
  } finally {
    end();
  }
}

/** The check of a connection may wait for the rate limit, and whoever interrupts the command does not wait for that. */
export async function waitUnlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal === undefined) return work;
  const ended = new AbortController();
  const aborted = once(signal, "abort", { signal: ended.signal }).then(
    () => undefined,
    () => undefined,
  );
  try {
    return signal.aborted ? undefined : await Promise.race([work, aborted]);
  } finally {
    ended.abort();
  }
}
