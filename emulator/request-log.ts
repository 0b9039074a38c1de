/** Logged request, without tokens and bodies. */
export interface LoggedRequest {
  /** ISO date in the emulator's time. */
  at: string;
  method: string;
  /** Path below the base path, as sent, without the query. */
  path: string;
  /** Query without `access_token`, such as `page=2`. */
  query: string;
  /** Status of the response; 0 when the connection was closed instead. */
  status: number;
  /** E-mail address of the caller, or null. */
  user: string | null;
}

const maxEntries = 100_000;

/** Log of the requests, oldest first. Outside edits are not logged. */
export class RequestLog {
  private entries: LoggedRequest[] = [];

  get requests(): readonly LoggedRequest[] {
    return this.entries;
  }

  /** Returns the requests that may change data: neither GET, HEAD nor OPTIONS, and not the OAuth endpoints. */
  writes(): LoggedRequest[] {
    return this.entries.filter(
      ({ method, path }) => !["GET", "HEAD", "OPTIONS"].includes(method) && !path.startsWith("/oauth2/"),
    );
  }

  clear(): void {
    this.entries = [];
  }

  add(entry: LoggedRequest): void {
    this.entries.push(entry);
    // Limits the memory of a long-running emulator.
    if (this.entries.length > maxEntries) this.entries = this.entries.slice(maxEntries / 2);
  }
}
