/** What a comparison reads: a workspace through a connection, a file or a stack. */

interface Named {
  /** Name of the source in the report. */
  readonly name: string;
}

export interface ConnectionSpec extends Named {
  readonly kind: "connection";
  /** Absent for the default connection. */
  readonly connection?: string;
  /** Domain, if it is not the connection's. */
  readonly workspace?: string;
}

export interface FileSpec extends Named {
  readonly kind: "file";
  readonly file: string;
  readonly overlays: readonly string[];
}

export interface StackSpec extends Named {
  readonly kind: "stack";
  readonly stack: string;
  /** Workspace file or folder whose project the stack belongs to. */
  readonly file: string;
  /** The argument does not say that it is a stack. */
  readonly guessed?: boolean;
}

export type SourceSpec = ConnectionSpec | FileSpec | StackSpec;
