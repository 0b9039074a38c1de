/** Ends operations for which the engine no longer waits: after a cancellation, or after the program's timeout. */
import { ProviderError } from "../../resources/errors.js";

/** After a cancellation, operations in progress may still end by themselves within this time. */
const GRACE_MS = 5000;

export class Interruption {
  private readonly running = new Set<(error: Error) => void>();
  private isCancelled = false;
  private readonly hurrying = new AbortController();
  /** Aborts when no request may wait any more before it is sent. */
  readonly hurry: AbortSignal = this.hurrying.signal;

  /** Lets requests finish that were sent, however long they take. */
  stopWaiting(): void {
    this.hurrying.abort(createCancelledError(NOTHING_SENT));
  }

  cancel(): void {
    this.isCancelled = true;
    this.stopWaiting();
    setTimeout(() => {
      for (const end of this.running) end(createCancelledError());
    }, GRACE_MS).unref();
  }

  /**
   * Waits for an operation.
   * @param work gets a signal that aborts when nobody waits for its result any more
   * @param seconds its timeout; 0: none
   * @throws {ProviderError} `refused` after a cancellation and after the timeout
   */
  async during<T>(
    operation: string,
    seconds: number,
    work: (abandoned: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.isCancelled) throw createCancelledError();
    let end: (error: Error) => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const abandoned = new AbortController();
    const ended = new Promise<never>((_resolve, reject) => {
      end = (error) => {
        abandoned.abort(error);
        reject(error);
      };
      if (seconds > 0) timer = setTimeout(() => end(createTimeoutError(operation, seconds)), seconds * 1000);
    });
    this.running.add(end);
    try {
      return await Promise.race([work(abandoned.signal), ended]);
    } finally {
      this.running.delete(end);
      clearTimeout(timer);
    }
  }
}

const REMEDY =
  'run "workspacectl up" again, which adopts what was created (under plain Pulumi, "pulumi up --refresh" after a change or a deletion)';

const NOTHING_SENT = "the run was cancelled while a request waited; it was not sent";

function createCancelledError(
  what = "the run was cancelled; the service may have made the change nevertheless",
): ProviderError {
  return new ProviderError("refused", what, REMEDY);
}

function createTimeoutError(operation: string, seconds: number): ProviderError {
  return new ProviderError(
    "refused",
    `the ${operation} took longer than the ${seconds} s that the resource's customTimeouts allow; the service may have made the change nevertheless`,
    REMEDY,
  );
}
