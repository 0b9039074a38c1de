/** Types shared by the modules that write documents. */

export interface WriteOptions {
  /** Whether to omit arguments with their default value. */
  readonly prune?: boolean;
  /** Whether the entries are put into another document, so that nothing may stand at the top of this one instead. */
  readonly separate?: boolean;
}

/** Map in the document that is written. */
export type WrittenFields = Record<string, unknown>;
