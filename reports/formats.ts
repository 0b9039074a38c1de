/** Output formats and their names. Every command loads it, so it loads nothing. */

/** What the processes of a fleet hand over. It is no format for users, and may change in every version. */
export const DATA_FORMAT = "view-data";

/** Formats of a report about findings. */
export const formats = ["text", "json", "markdown", "junit", "sarif", "html", "github"] as const;
export type Format = (typeof formats)[number] | typeof DATA_FORMAT;

/** Formats of a plan: its text is the one that `up` prints too. */
export const planFormats = ["text", "json", "markdown", "html", "junit", "github"] as const;
export type PlanFormat = (typeof planFormats)[number] | typeof DATA_FORMAT;

/** A format, and its file; without one, standard output. */
export interface FormatRequest<F extends string = Format> {
  readonly format: F;
  readonly file?: string;
}

/** Formats of the shards of a fleet. */
export const shardFormats = ["json", "github-matrix", "gitlab-parallel"] as const;
export type ShardFormat = (typeof shardFormats)[number];

/** Formats of diagnostics. */
export const diagnosticFormats = ["text", "json", "github", "sarif"] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** The options that choose formats, of any command. */
export interface FormatChoice {
  readonly json?: unknown;
  readonly format?: unknown;
  readonly output?: unknown;
}

/** Where a report about findings goes, and in which formats. */
export interface DeliveryOptions {
  readonly format?: readonly FormatRequest[] | undefined;
  readonly json?: boolean | undefined;
  readonly output?: string | undefined;
  /** File that remembers the findings of the last run. */
  readonly stateFile?: string | undefined;
  /** Address that receives the findings when they have changed. */
  readonly webhook?: string | undefined;
  readonly webhookAlways?: boolean | undefined;
}
