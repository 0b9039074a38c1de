/** Signals to a run of a fleet: no further workspace starts, and the processes of the others end. */
import { exitCodes } from "../../errors.js";
import { SIGNALS } from "../../engine/stack/interrupt.js";

export class FleetInterruption {
  private readonly abort = new AbortController();
  private count = 0;

  get isInterrupted(): boolean {
    return this.count > 0;
  }

  /** Exit code of what is not started. */
  get exitCode(): number {
    return this.isInterrupted ? exitCodes.interrupted : exitCodes.ok;
  }

  /** Ends processes. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Prevents that signals end this process itself. @returns a function that ends this */
  listen(): () => void {
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
    return () => {
      for (const signal of SIGNALS) process.off(signal, this.onSignal);
    };
  }

  private readonly onSignal = (signal: NodeJS.Signals) => {
    this.count += 1;
    // The terminal sends Ctrl-C to the processes too, and they finish running operations.
    if (signal !== "SIGINT" || this.count > 1) this.abort.abort();
  };
}
