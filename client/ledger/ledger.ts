/** The ledger of a user's requests, and where processes share it. */

export interface Ledger {
  version: 1;
  /** The window; absent until a response has named it. */
  window?: { reset: number; resetAt: number; left: number };
  /** Requests of this window that each process may still send, by the id of the lease. */
  leases: Record<string, number>;
  /** Leases of one request, whose response will name the window. */
  probes: string[];
}

export function emptyLedger(): Ledger {
  return { version: 1, leases: {}, probes: [] };
}

export interface LedgerStore {
  /** Location of the ledger, for messages. */
  readonly name: string;
  /**
   * Changes the ledger in one step, so that no process overwrites the change of another.
   *
   * @param change changes the ledger that it receives. It is called again when another process was faster, and when it is unknown
   * whether the change was stored. Then the ledger may contain the change already.
   * @throws {Error} when the store cannot be used
   */
  change<T>(change: (ledger: Ledger) => T): Promise<T>;
  /** Does the same when the process exits; absent where a change needs time. */
  changeAtExit?(change: (ledger: Ledger) => void): void;
}

/** Where the ledgers are: a folder, with a file for each user and address, or a bucket. */
export type LedgerOptions = (
  | { readonly folder: string }
  | {
      /** Address of the bucket, as for Pulumi's state: `s3://bucket/prefix?region=...&endpoint=...&s3ForcePathStyle=true`. */
      readonly bucket: string;
      readonly credentials: BucketCredentials;
    }
) & {
  /** Number of runs that divide the hour without seeing each other: this ledger gives out its share only. Default 1. */
  readonly shares?: number;
};

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Region, if the address has none. */
  readonly region?: string | undefined;
}
