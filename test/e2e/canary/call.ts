/** A call of a command, and what can happen to it. */
export interface Call {
  readonly argv: readonly string[];
  /** For standard input. */
  readonly input?: string;
  /** Takes `--debug` for an argument of its own. */
  readonly raw?: boolean;
  /** Talks to the service, so that answers can be lost or refused. */
  readonly service?: boolean;
  /** Runs Pulumi's engine, so that its provider can crash. */
  readonly engine?: boolean;
  /** Secrets are others each time, so that there is something to write. */
  readonly rotates?: boolean;
  /** Prints what the service shows, of which nobody can tell that it is secret. */
  readonly shows?: boolean;
  /** Needs the guards of the file alone, and so works where something else in it is wrong. */
  readonly guardsAlone?: boolean;
  /** The exit code when nothing goes wrong, if it says anything else than what was found. */
  readonly code?: number;
}

/** Stands for the OAuth client that was registered. */
export const CLIENT = "<client>";

/** What happens to a command; nothing at last, so that what the others left is taken up. */
export const disturbances = ["provider crash", "4xx", "5xx", "lost answers", "refusal", "none"] as const;
export type Disturbance = (typeof disturbances)[number];
