/** Words of the way back from declarations to a document. */

export interface WriteOptions {
  /** Leave out arguments that say what is so without them. */
  readonly prune?: boolean;
}

/** A map of the document that is being written. */
export type Holder = Record<string, unknown>;
