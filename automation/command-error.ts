/** Errors of the command, their messages and exit codes. */
import { type RemedyText, withRemedy } from "../trust/errors.js";

/** Exit codes of `workspacectl`. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** Error, which the message on stderr explains with the remedy. */
  error: 1,
  /** `preview --exit-code`: `up` would change something. */
  changes: 2,
  /** A watched execution ended as FAILED, TERMINATED or SKIPPED. */
  runFailed: 3,
  /** The user declined, and nothing was changed. */
  declined: 4,
  /** `drift`: the workspace differs from the declared and applied state. `compare`: the two sources differ. */
  drift: 7,
  /** Something could not be read, so that the result is incomplete. */
  incomplete: 10,
  /** Interrupted by Ctrl-C or SIGTERM. Operations in progress were completed and recorded in the state. */
  interrupted: 130,
} as const;

interface CliErrorOptions extends ErrorOptions {
  /** Kind of the error, for programs. Default: failed. */
  readonly code?: string | undefined;
}

/** Error of the command itself. What users read is the message and the remedy. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string | undefined;

  constructor(
    message: string,
    readonly remedy: RemedyText,
    { code, ...options }: CliErrorOptions = {},
  ) {
    super(withRemedy(message, remedy), options);
    this.code = code;
  }
}
