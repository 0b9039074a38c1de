/** Types shared by the modules that write documents. */

export interface WriteOptions {
  /** Whether to omit arguments with their default value. */
  readonly prune?: boolean;
}

/** Map in the document that is written. */
export type Holder = Record<string, unknown>;
