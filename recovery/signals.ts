/** Signals that ask a command to end, and whether one of our functions handles them. Libraries listen to signals too, only to tidy up. */

export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type Handler = (signal: NodeJS.Signals) => void;

/** A library, such as the one that hides the cursor, ends the process only where nobody else listens. So counting listeners would make each wait for the other. */
const ours = new WeakSet<object>();

/**
 * Handles signals: until this is ended, none of them ends the process.
 * @returns what ends it
 */
export function handleSignals(
  handler: Handler,
  { names = SIGNALS, times = "on" }: { names?: readonly NodeJS.Signals[]; times?: "on" | "once" } = {},
): () => void {
  ours.add(handler);
  for (const name of names) process[times](name, handler);
  return () => names.forEach((name) => process.off(name, handler));
}

/** Whether a signal is handled, so that it must not end the process. */
export function isHandled(signal: NodeJS.Signals): boolean {
  return process.listeners(signal).some((listener) => ours.has(listener));
}
