/** Errors of what prevents a run from going on after a crash. */
export type RecoveryErrorCode =
  /** Another run has released the lock of the stack, or may have done so. */
  | "lock-lost"
  /** The engine has ended. */
  | "run-ended";

/** What prevents a run from going on. The message contains the remedy. */
export class RecoveryError extends Error {
  override readonly name = "RecoveryError";

  constructor(
    readonly code: RecoveryErrorCode,
    message: string,
    readonly remedy: string,
  ) {
    super(`${message}: ${remedy}`);
  }
}
