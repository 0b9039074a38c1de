/** Exit codes of `workspacectl`. Reports contain theirs. */
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
