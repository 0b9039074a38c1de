/** Caches what a run reads, so that each list and each object is requested once. */
import type { ListEnd, ListReading } from "../../client/index.js";
import { OwnWrites } from "./own-writes.js";

/** Stores the responses of a read-only run, for the next run if this one is interrupted. */
export interface ReadCacheStore {
  load(key: string): object | undefined;
  save(key: string, response: object): void;
}

/** Reads stay valid for this time, in which the user may answer a question. */
const VALID_MS = 60_000;

/** The reads of all sessions of one command, by the address of the workspace: `up` does not read again what its preview has read. */
export class SharedReadCache {
  private readonly known = new Map<string, ReadCache>();
  private lastUsed = 0;

  /**
   * @param listed receives each list that was fetched, and the number of its items
   * @param now the clock of the client
   */
  constructor(
    private readonly listed?: (key: string, items: number) => void,
    private readonly now?: () => number,
  ) {}

  /** The reads for a new session. */
  of(address: string): ReadCache {
    if (Date.now() - this.lastUsed > VALID_MS) this.forget();
    this.used();
    const reads = this.known.get(address) ?? new ReadCache(this.listed, this.now);
    this.known.set(address, reads);
    return reads;
  }

  /** Notes that the workspace is being worked on. */
  used(): void {
    this.lastUsed = Date.now();
  }

  isRead(address: string, key: string): boolean {
    return this.known.get(address)?.isRead(key) ?? false;
  }

  /** The number of failed reads. Repeating one takes another request. */
  failures(address: string): number {
    return this.known.get(address)?.failures ?? 0;
  }

  /** Forgets everything, because another process may have changed the workspace. */
  forget(): void {
    this.known.clear();
  }
}

/**
 * Reads shared by all resources of a run: each list and each single object is fetched once, however many resources
 * request it at the same time. The run's own writes are entered into cached lists.
 *
 * A read that is requested after a write shows that write, even if the request began before. Where that is not certain, or
 * where the read failed, its result is not cached.
 */
export class ReadCache {
  /** Responses of an earlier run. Only for runs that write nothing. */
  store: ReadCacheStore | undefined;
  /** The number of failed reads. */
  failures = 0;
  private readonly entries = new Map<string, Entry>();
  private readonly own: OwnWrites;
  /** The number of writes in progress that may change positions in a list, by list. */
  private readonly shifts = new Map<string, number>();

  /**
   * @param listed receives each list that was fetched, and the number of its items
   * @param now the clock of the client
   */
  constructor(
    private readonly listed: (key: string, items: number) => void = () => {},
    now?: () => number,
  ) {
    this.own = new OwnWrites(now);
  }

  /** @param isSure proves the end of the list: one whose end was only assumed is read again */
  async list<T extends object>(
    key: string,
    load: (isSure: boolean) => Promise<ListReading<T>>,
    isSure = false,
  ): Promise<readonly T[]> {
    const loadList = async (entry: Entry) => {
      const { items, end } = await load(isSure);
      entry.end = end;
      this.listed(key, items.length);
      return items;
    };
    const items = await this.once(key, loadList);
    if (!isSure) return items;
    if (this.endOf(key) === "assumed") this.forget(key);
    // Another caller may be proving the end already.
    return this.once(key, loadList);
  }

  /** What is known of the end of a list that was read. */
  endOf(key: string): ListEnd | undefined {
    return this.entries.get(key)?.end;
  }

  /** Notes that a list that was read has no more items. */
  noteProven(key: string): void {
    const entry = this.entries.get(key);
    if (entry !== undefined) entry.end = "proven";
  }

  single<T extends object>(key: string, load: () => Promise<T>): Promise<T> {
    return this.once(key, load);
  }

  /** Enters a written object into a cached list, or removes it (`undefined`). */
  enter(key: string, isIt: (item: object) => boolean, written: object | undefined): void {
    this.own.note(key, undefined, isIt, written);
    this.change(key, (items) => enterItem(items as readonly object[], isIt, written));
  }

  /** The same, for a list within a cached object. */
  enterWithin(key: string, part: string, isIt: (item: object) => boolean, written: object | undefined): void {
    this.own.note(key, part, isIt, written);
    this.change(key, (whole) => {
      const items = ((whole as Record<string, unknown>)[part] ?? []) as readonly object[];
      return { ...whole, [part]: enterItem(items, isIt, written) };
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
      const entry = this.entries.get(key);
      if (entry !== undefined && entry.value === undefined) entry.unsure = true;
    }
    return () => {
      for (const key of keys) {
        this.shifts.set(key, (this.shifts.get(key) ?? 1) - 1);
        if (this.entries.get(key)?.unsure) this.forget(key);
      }
    };
  }

  /** Forgets the read with a key, so that it is repeated. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  /** The same after a write that failed: what was written before may not be there any more. */
  forgetWritten(key: string): void {
    this.own.forget(key);
    this.forget(key);
  }

  /** Forgets the reads with a key and below it (`key/...`). */
  forgetBelow(key: string): void {
    this.forgetWhere((other) => other === key || other.startsWith(`${key}/`));
  }

  forgetWhere(isIt: (key: string) => boolean): void {
    for (const key of [...this.entries.keys()]) if (isIt(key)) this.entries.delete(key);
  }

  /** Forgets the reads in progress, of a session that ends before their responses arrive. */
  forgetPending(): void {
    for (const [key, { value }] of this.entries) if (value === undefined) this.entries.delete(key);
  }

  isRead(key: string): boolean {
    return this.entries.get(key)?.value !== undefined;
  }

  private async loaded<T extends object>(key: string, load: Load<T>, entry: Entry): Promise<T> {
    const stored = this.store?.load(key) as T | undefined;
    if (stored !== undefined) return stored;
    const response = await load(entry);
    if (entry.end === undefined || entry.end === "proven") this.store?.save(key, response);
    return response;
  }

  private change(key: string, changed: (value: object) => object): void {
    const entry = this.entries.get(key);
    // A read in progress may show the write or not: entering the write is right in both cases.
    if (entry !== undefined && entry.value === undefined) entry.changes.push(changed);
    else if (entry?.value !== undefined) entry.value = changed(entry.value);
  }

  private once<T extends object>(key: string, load: Load<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known?.value !== undefined) return Promise.resolve(known.value as T);
    if (known !== undefined) return known.reading as Promise<T>;
    const entry: Entry = { changes: [], unsure: (this.shifts.get(key) ?? 0) > 0 };
    entry.reading = this.loaded(key, load, entry).then(
      (loaded) => {
        const changed = entry.changes.reduce((value, change) => change(value), loaded as object);
        return (entry.value = this.own.addMissing(key, changed));
      },
      (error: unknown) => {
        this.failures++;
        if (this.entries.get(key) === entry) this.entries.delete(key);
        throw error;
      },
    );
    this.entries.set(key, entry);
    return entry.reading as Promise<T>;
  }
}

type Load<T> = (entry: Entry) => Promise<T>;

interface Entry {
  /** What is known of the end of a list. */
  end?: ListEnd;
  reading?: Promise<object>;
  /** The response; absent while the read is in progress. */
  value?: object;
  /** Writes that ended during the read. */
  readonly changes: ((value: object) => object)[];
  /** Whether objects may be missing. */
  unsure: boolean;
}

/** A written object stays at its position, with the fields that only the list shows. A new one comes last. */
function enterItem(
  items: readonly object[],
  isIt: (item: object) => boolean,
  written: object | undefined,
): object[] {
  if (written === undefined) return items.filter((item) => !isIt(item));
  if (!items.some(isIt)) return [...items, written];
  return items.map((item) => (isIt(item) ? { ...item, ...written } : item));
}
