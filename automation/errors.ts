/** The error of every operation, for programs and people. */
import { withRemedy } from "../trust/errors.js";

/** Where a file is wrong. */
export interface ErrorLocation {
  readonly file: string;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
}

/** What an operation itself fails with. Other codes come from the service, the provider or a file. */
export type OperationErrorCode =
  | "failed"
  | "usage"
  | "refused"
  | "not-confirmed"
  | "declined"
  | "interrupted"
  | "other-plan"
  | "passphrase"
  | "format";

/** Completed by editors, which a plain string would not be. */
type ErrorCode = OperationErrorCode | (string & {});

interface ErrorFacts extends ErrorOptions {
  /** Default: `failed`. */
  readonly code?: ErrorCode | undefined;
  readonly location?: ErrorLocation | undefined;
}

/** An operation that failed. The message says what is wrong, where, and what to do. */
export class AutomationError extends Error {
  override readonly name = "AutomationError";
  /** Kind of the error, such as `refused`, `other-plan` or `interrupted`. It never changes its meaning. */
  readonly code: ErrorCode;
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
