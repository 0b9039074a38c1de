/** What `workspacectl` answers to the shell. */
export const exitCodes = {
  /** Everything asked for was done, or nothing had to be done. */
  ok: 0,
  /** Something is wrong; the message on stderr says what, and what to do about it. */
  error: 1,
  /** A run that was watched ended as FAILED, TERMINATED or SKIPPED. */
  runFailed: 3,
  /** The answer to the question was no: nothing was changed. */
  declined: 4,
  /** `drift`: the workspace is not as it was declared and applied. `compare`: the two sides differ. */
  drift: 7,
  /** Something could not be read, so that nobody can say that all is well. */
  incomplete: 10,
  /** Stopped by Ctrl-C or SIGTERM. What was under way was finished and is in the state. */
  interrupted: 130,
} as const;
