/** Lets signals end the first process of a container, for which the operating system has no default action. */
import { constants } from "node:os";

/** Ends this process on a signal, as the system does with any other process, unless a command handles the signal itself. */
export function endOnSignals(): void {
  if (process.pid !== 1) return;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
}
