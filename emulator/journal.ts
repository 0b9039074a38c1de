/** One request as the emulator saw it. Tokens and bodies are not kept. */
export interface JournalEntry {
  /** ISO date in the emulator's time. */
  at: string;
  method: string;
  /** Path below the base path, as sent, without the query. */
  path: string;
  /** Query without `access_token`, e.g. `page=2`. */
  query: string;
  /** Status that was answered; 0 when the connection was cut instead. */
  status: number;
  /** E-mail of the user whose token was sent, or null. */
  user: string | null;
}

const longestJournal = 100_000;

/** The requests so far, oldest first. Outside edits made through the control are not in it. */
export class Journal {
  private kept: JournalEntry[] = [];

  get requests(): readonly JournalEntry[] {
    return this.kept;
  }

  /** The requests that ask for a change: neither GET, HEAD nor OPTIONS, and not the OAuth token endpoints. */
  writes(): JournalEntry[] {
    return this.kept.filter(
      ({ method, path }) => !["GET", "HEAD", "OPTIONS"].includes(method) && !path.startsWith("/oauth2/"),
    );
  }

  clear(): void {
    this.kept = [];
  }

  note(entry: JournalEntry): void {
    this.kept.push(entry);
    // A long-lived emulator must not grow for ever.
    if (this.kept.length > longestJournal) this.kept = this.kept.slice(longestJournal / 2);
  }
}
