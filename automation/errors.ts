/** The error of every operation, for programs and people. */
import { withRemedy } from "../trust/errors.js";

/** Where a file is wrong. */
export interface ErrorLocation {
  readonly file: string;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
}

interface ErrorFacts extends ErrorOptions {
  /** Default: `failed`. */
  readonly code?: string | undefined;
  readonly location?: ErrorLocation | undefined;
}

/** An operation that failed. The message says what is wrong, where, and what to do. */
export class AutomationError extends Error {
  override readonly name = "AutomationError";
  /** Kind of the error, such as `refused`, `unauthorized` or `interrupted`. It never changes its meaning. */
  readonly code: string;
  /** What to do about it. The message contains it, too. */
  readonly remedy: string;
  /** Where a file is wrong. */
  readonly location: ErrorLocation | undefined;

  constructor(
    message: string,
    remedy: string | readonly string[],
    { code = "failed", location, ...options }: ErrorFacts = {},
  ) {
    super(withRemedy(message, remedy), options);
    this.code = code;
    this.remedy = [remedy].flat().join("; ");
    this.location = location;
  }
}
