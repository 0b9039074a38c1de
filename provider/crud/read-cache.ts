/** Responses of an earlier run that only read and was interrupted. */
export interface ReadCacheStore {
  recall(key: string): object | undefined;
  keep(key: string, response: object): void;
}

/** For so long nobody may have thought about a question: what was read before it is what is there. */
const LASTING_MS = 60_000;

/** What the sessions of one command read, by the address of the workspace: what a preview has read, `up` does not read again. */
export class SharedReads {
  private readonly known = new Map<string, Reads>();
  private lastUsed = 0;

  /** @param listed told of each list that was fetched, and how many items it had */
  constructor(private readonly listed?: (key: string, items: number) => void) {}

  /** For a session that begins. */
  of(address: string): Reads {
    if (Date.now() - this.lastUsed > LASTING_MS) this.forget();
    this.used();
    const reads = this.known.get(address) ?? new Reads(this.listed);
    // An earlier session may have ended without its responses.
    reads.forgetPending();
    this.known.set(address, reads);
    return reads;
  }

  /** The work on the workspace goes on, or ends just now. */
  used(): void {
    this.lastUsed = Date.now();
  }

  isRead(address: string, key: string): boolean {
    return this.known.get(address)?.isRead(key) ?? false;
  }

  /** Counts the reads that have failed: the same read again is a request again. */
  failures(address: string): number {
    return this.known.get(address)?.failures ?? 0;
  }

  /** Another process may have written. */
  forget(): void {
    this.known.clear();
  }
}

/**
 * Reads shared by all resources of a run: each list and each single object is fetched once, however many resources
 * request it at the same time. Our own writes are entered into what was read.
 *
 * A read that is requested after a write shows that write, even if it began before. Where that is not certain, or where it
 * failed, its result is not cached.
 */
export class Reads {
  /** Responses of an earlier run. Only for runs that write nothing. */
  answers: ReadCacheStore | undefined;
  /** Number of reads that have failed. */
  failures = 0;
  private readonly kept = new Map<string, Kept>();
  /** The number of writes in progress that may change positions in a list, by list. */
  private readonly shifts = new Map<string, number>();

  /** @param listed receives each list that was fetched, and the number of its items */
  constructor(private readonly listed: (key: string, items: number) => void = () => {}) {}

  list<T extends object>(key: string, load: () => Promise<readonly T[]>): Promise<readonly T[]> {
    return this.once(key, async () => {
      const items = await load();
      this.listed(key, items.length);
      return items;
    });
  }

  single<T extends object>(key: string, load: () => Promise<T>): Promise<T> {
    return this.once(key, load);
  }

  /** Enters a written object into a list that was read, or removes it (`undefined`). */
  enter(key: string, isIt: (item: object) => boolean, written: object | undefined): void {
    this.change(key, (items) => entered(items as readonly object[], isIt, written));
  }

  /** The same, for a list that is part of an object that was read by itself. */
  enterWithin(key: string, part: string, isIt: (item: object) => boolean, written: object | undefined): void {
    this.change(key, (whole) => {
      const items = ((whole as Record<string, unknown>)[part] ?? []) as readonly object[];
      return { ...whole, [part]: entered(items, isIt, written) };
    });
  }

  /**
   * Announces a write that removes an object from lists, or moves it in them. An object that moves from one page to another
   * while the pages are read may be on none of them: such a read is not cached beyond the write.
   * @returns a function to call when the write has ended
   */
  shift(keys: readonly string[]): () => void {
    for (const key of keys) {
      this.shifts.set(key, (this.shifts.get(key) ?? 0) + 1);
      const kept = this.kept.get(key);
      if (kept !== undefined && kept.value === undefined) kept.unsure = true;
    }
    return () => {
      for (const key of keys) {
        this.shifts.set(key, (this.shifts.get(key) ?? 1) - 1);
        if (this.kept.get(key)?.unsure) this.forget(key);
      }
    };
  }

  /** Forgets what was read under a key, so that it is read again. */
  forget(key: string): void {
    this.kept.delete(key);
  }

  /** Forgets what was read under a key and below it (`key/...`). */
  forgetBelow(key: string): void {
    this.forgetWhere((other) => other === key || other.startsWith(`${key}/`));
  }

  forgetWhere(isIt: (key: string) => boolean): void {
    for (const key of [...this.kept.keys()]) if (isIt(key)) this.kept.delete(key);
  }

  /** Forgets what is being read. */
  forgetPending(): void {
    for (const [key, { value }] of this.kept) if (value === undefined) this.kept.delete(key);
  }

  isRead(key: string): boolean {
    return this.kept.get(key)?.value !== undefined;
  }

  private async loaded<T extends object>(key: string, load: () => Promise<T>): Promise<T> {
    const { answers } = this;
    if (answers === undefined) return load();
    const known = answers.recall(key) as T | undefined;
    if (known !== undefined) return known;
    const response = await load();
    answers.keep(key, response);
    return response;
  }

  private change(key: string, changed: (value: object) => object): void {
    const kept = this.kept.get(key);
    // A read in progress may show the write or not: entered into it, it does.
    if (kept !== undefined && kept.value === undefined) kept.changes.push(changed);
    else if (kept?.value !== undefined) kept.value = changed(kept.value);
  }

  private once<T extends object>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key);
    if (known?.value !== undefined) return Promise.resolve(known.value as T);
    if (known !== undefined) return known.reading as Promise<T>;
    const kept: Kept = { changes: [], unsure: (this.shifts.get(key) ?? 0) > 0 };
    kept.reading = this.loaded(key, load).then(
      (loaded) => (kept.value = kept.changes.reduce((value, change) => change(value), loaded as object)),
      (error: unknown) => {
        this.failures++;
        if (this.kept.get(key) === kept) this.kept.delete(key);
        throw error;
      },
    );
    this.kept.set(key, kept);
    return kept.reading as Promise<T>;
  }
}

interface Kept {
  reading?: Promise<object>;
  /** What was read; absent while it is being read. */
  value?: object;
  /** Writes that ended during the read. */
  readonly changes: ((value: object) => object)[];
  /** Whether something may be missing. */
  unsure: boolean;
}

/** A written object stays at its position, with the fields that only the list shows. A new one comes last. */
function entered(
  items: readonly object[],
  isIt: (item: object) => boolean,
  written: object | undefined,
): object[] {
  if (written === undefined) return items.filter((item) => !isIt(item));
  if (!items.some(isIt)) return [...items, written];
  return items.map((item) => (isIt(item) ? { ...item, ...written } : item));
}
