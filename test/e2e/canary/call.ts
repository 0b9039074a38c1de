/** Describes a call of a command, and the failures that can hit it. */
export interface Call {
  readonly argv: readonly string[];
  /** The text on standard input. */
  readonly input?: string;
  /** Treats `--debug` as an argument of its own. */
  readonly raw?: boolean;
  /** Uses the service, so that responses can be lost or requests rejected. */
  readonly service?: boolean;
  /** Runs Pulumi's engine, so that its provider can crash. */
  readonly engine?: boolean;
  /** Changes the secrets before each run, so that there is something to write. */
  readonly rotates?: boolean;
  /** Prints values of the service that cannot be recognized as secret. */
  readonly shows?: boolean;
  /** Uses only the guards of the file, and therefore works if the rest of it is invalid. */
  readonly guardsAlone?: boolean;
  /** The exit code on success, if it does not depend on findings. */
  readonly code?: number;
}

/** Replaces the id of the registered OAuth client. */
export const CLIENT = "<client>";

/** The failures that can hit a command. The last run has none, so that it recovers from the others. */
export const disturbances = ["provider crash", "4xx", "5xx", "lost answers", "refusal", "none"] as const;
export type Disturbance = (typeof disturbances)[number];
