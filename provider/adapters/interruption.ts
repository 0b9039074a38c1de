/** Ends operations that the engine no longer waits for: it was cancelled, or they take longer than the program allows. */
import { ProviderError } from "../errors.js";

/** What is under way when the engine is cancelled may end by itself within this time. */
const GRACE_MS = 5000;

export class Interruption {
  private readonly running = new Set<(error: Error) => void>();
  private cancelled = false;

  constructor(private readonly graceMs: number = GRACE_MS) {}

  cancel(): void {
    this.cancelled = true;
    setTimeout(() => {
      for (const end of this.running) end(cancelled());
    }, this.graceMs).unref();
  }

  /**
   * @param seconds the operation may take; 0: as long as it needs
   * @throws {ProviderError} `refused` after a cancellation, and when the time is over
   */
  async during<T>(operation: string, seconds: number, work: () => Promise<T>): Promise<T> {
    if (this.cancelled) throw cancelled();
    let end: (error: Error) => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      end = reject;
      if (seconds > 0) timer = setTimeout(() => reject(tooLong(operation, seconds)), seconds * 1000);
    });
    this.running.add(end);
    try {
      return await Promise.race([work(), ended]);
    } finally {
      this.running.delete(end);
      clearTimeout(timer);
    }
  }
}

const REMEDY =
  "what was sent may have been carried out all the same: refresh the stack before the next update";

function cancelled(): ProviderError {
  return new ProviderError("refused", `the run was cancelled; ${REMEDY}`);
}

function tooLong(operation: string, seconds: number): ProviderError {
  return new ProviderError(
    "refused",
    `the ${operation} took longer than the ${seconds} s that the resource's customTimeouts allow; ${REMEDY}`,
  );
}
