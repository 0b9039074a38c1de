export type RecoveryErrorCode =
  /** Another run has released the lock of the stack, or nobody can tell whether it has. */
  "lock-lost";

/** What prevents a run from going on. The message says what, where and the remedy. */
export class RecoveryError extends Error {
  override readonly name = "RecoveryError";

  constructor(
    readonly code: RecoveryErrorCode,
    message: string,
  ) {
    super(message);
  }
}
