/** The error of every operation, for programs and people. */

/** Where a file is wrong. */
export interface ErrorLocation {
  readonly file: string;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
}

interface ErrorFacts {
  /** Kind of the error, such as `refused`, `unauthorized` or `interrupted`. It never changes its meaning. */
  readonly code: string;
  /** What to do about it. */
  readonly remedy: string;
  readonly location?: ErrorLocation | undefined;
  readonly cause?: unknown;
}

/** An operation that failed. The message says what is wrong, where, and what to do. */
export class AutomationError extends Error {
  override readonly name = "AutomationError";
  /** Kind of the error, such as `refused`, `unauthorized` or `interrupted`. It never changes its meaning. */
  readonly code: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Where a file is wrong. */
  readonly location: ErrorLocation | undefined;

  constructor(message: string, { code, remedy, location, cause }: ErrorFacts) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.remedy = remedy;
    this.location = location;
  }
}
