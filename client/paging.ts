/** Reads lists page by page. */
import { chooseWindow, isLikelyEnd, PageSizes } from "./page-window.js";

/** The pages of a list call. Areas add their own filters and sort options. */
export interface PageQuery {
  /** Items per request. Default 100; the service may return fewer. */
  per_page?: number;
  /** First page. Default 1. */
  page?: number;
}

export const ASK_PER_PAGE = 100;

/** How often a list is read because it has changed between two pages, and how many pages may show nothing new. */
const MOST_PASSES = 3;
const MOST_IDLE = 5;

/**
 * What is known of the end of a list that was read. `proven`: these are all items. `assumed`: the only page has fewer items than were
 * requested, which may be all that the service puts on a page. `unsettled`: the list changed each time while its pages were read, or
 * the service does not return the pages that are requested.
 */
export type ListEnd = "proven" | "assumed" | "unsettled";

export interface ListReading<T> {
  readonly items: readonly T[];
  readonly end: ListEnd;
}

export interface ListingSource<T> {
  perPage?: number | undefined;
  /** Whether the service is known to return so many items on a page. */
  isLargest?: boolean;
  firstPage?: number | undefined;
  /** The largest pages of this service so far, and the name of the list among them. */
  sizes?: PageSizes;
  list?: string;
  /** Identifies an item: its id, or its name where it has no id. */
  key: (item: T) => string | number;
  page: (query: { page: number; per_page: number }) => Promise<Page<T>>;
}

/** A page: the number of its items is known before they are checked. */
export interface Page<T> {
  length: number;
  items: () => readonly T[];
}

/** No service has pages of so few items. */
const FEW = 2;

/** A page that no list has. */
const BEYOND_ALL = 1_000_000;

/** The list has changed: it is read again from its first page. */
const AGAIN = Symbol("again");

/**
 * A list that is read page by page while it is iterated: `for await (const group of client.groups.list("acme"))`.
 * Every iteration reads the list again. Items that appear on two pages (because something was added in between)
 * are returned once. Each page overlaps the one before, so that no item is missed when something is removed in between.
 */
export class Listing<T> implements AsyncIterable<T> {
  readonly #source: ListingSource<T>;

  constructor(source: ListingSource<T>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
  }

  /** All items in the service's order. */
  async toArray(): Promise<T[]> {
    return [...(await this.read(true)).items];
  }

  /** @param isSure proves the end of the list, which may take another request */
  async read(isSure: boolean): Promise<ListReading<T>> {
    let items: T[] = [];
    const passes = this.#passes(isSure);
    for (;;) {
      const { done, value } = await passes.next();
      if (done) return { items, end: value };
      if (value === AGAIN) items = [];
      else items.push(...value);
    }
  }

  /** Whether the list has no more than so many items, by one request. */
  async endsAt(items: number): Promise<boolean> {
    return (await this.#source.page({ page: items + 1, per_page: 1 })).length === 0;
  }

  /** The new items of each page. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    const returned = new Set<string | number>();
    for await (const page of this.#passes(true)) {
      if (page === AGAIN) continue;
      const fresh = page.filter((item) => isNew(returned, this.#source.key(item)));
      if (fresh.length > 0) yield fresh;
    }
  }

  async *#passes(isSure: boolean): AsyncGenerator<T[] | typeof AGAIN, ListEnd> {
    let before = new Set<string | number>();
    for (let pass = 1; ; pass++) {
      const read = new Set<string | number>();
      const end = yield* this.#pass(isSure, read, pass === MOST_PASSES);
      if (end === "unpaged") return "unsettled";
      if (end !== "unsettled" || isSameSet(read, before)) return end === "unsettled" ? "proven" : end;
      if (pass === MOST_PASSES) return end;
      before = read;
      yield AGAIN;
    }
  }

  /**
   * Reads the list once, from its first page to its last one. `unpaged`: the service shows its first page only.
   * @param read receives the keys of all items; of none if the pages do not fit together
   * @param isLast reads to the end also if the pages do not fit together
   */
  async *#pass(
    isSure: boolean,
    read: Set<string | number>,
    isLast: boolean,
  ): AsyncGenerator<T[], ListEnd | "unpaged"> {
    const { key, page: request, perPage = ASK_PER_PAGE, firstPage = 1, isLargest } = this.#source;
    const { sizes = new PageSizes(), list = "" } = this.#source;
    const first = await request({ page: firstPage, per_page: perPage });
    yield pickNew(first.items(), key, read);
    if (first.length === 0 || (isLargest && first.length < perPage)) return "proven";
    if (first.length > perPage) return yield* this.#withoutWindows(read);
    const isFull = first.length === perPage;
    if (!isFull && !sizes.allowsMore(list, first.length, isSure)) return "proven";
    sizes.note(list, first.length);
    if (!isFull && !isSure && isLikelyEnd(first.length)) return "assumed";

    let last = first.items().at(-1);
    let end = (firstPage - 1) * first.length + first.length;
    let hasGap = false;
    for (let idle = 0; idle < MOST_IDLE;) {
      const { page, size, overlap } = chooseWindow(end, first.length);
      const next = await request({ page, per_page: size });
      const items = next.items();
      const keys = items.map(key);
      // A service without pages returns everything, whatever is requested.
      if (next.length > size)
        return keys.every((one) => read.has(one)) ? "proven" : yield* this.#withoutWindows(read);
      const overlaps =
        overlap === 0 ? await this.#isStillAt(end, key(last!)) : keys[0] !== undefined && read.has(keys[0]);
      if (!overlaps && end === firstPage * first.length && !(await this.#respectsSize())) {
        read.clear();
        pickNew(first.items(), key, read);
        return yield* this.#withoutWindows(read);
      }
      const fresh = pickNew(items, key, read);
      if (fresh.length > 0) yield fresh;
      // Something before this page was removed after it was read: the items in between are on no page.
      hasGap ||= !overlaps;
      if (hasGap && !isLast) break;
      if (next.length < size) return hasGap ? "unsettled" : "proven";
      if (fresh.length === 0 && keys[0] === key(first.items()[0]!)) {
        if (first.length <= FEW) return "proven";
        if (await this.#isUnpaged()) return "unpaged";
        // So much was added before this page that it shows the first one.
        hasGap = true;
        if (!isLast) break;
      } else if (fresh.length === 0 && !keys.includes(key(last!))) return "proven";
      idle = fresh.length === 0 ? idle + 1 : 0;
      last = fresh.at(-1) ?? last;
      end = (page - 1) * size + next.length;
    }
    read.clear();
    return "unsettled";
  }

  /** Whether the service returns as few items as requested. */
  async #respectsSize(): Promise<boolean> {
    return (await this.#source.page({ page: 1, per_page: 1 })).length <= 1;
  }

  /** Whether the service returns items whatever page is requested. */
  async #isUnpaged(): Promise<boolean> {
    return (await this.#source.page({ page: BEYOND_ALL, per_page: 1 })).length > 0;
  }

  /** Whether an item has kept its position while the next page was read. Few items are a short list. */
  async #isStillAt(position: number, item: string | number): Promise<boolean> {
    if (position <= FEW) return true;
    const { key, page } = this.#source;
    const [found] = (await page({ page: position, per_page: 1 })).items();
    return found !== undefined && key(found) === item;
  }

  /** Reads the rest where the service has its own size of a page. Only a second pass shows whether the list has changed meanwhile. */
  async *#withoutWindows(read: Set<string | number>): AsyncGenerator<T[], ListEnd> {
    const { key, page: request, perPage = ASK_PER_PAGE, firstPage = 1 } = this.#source;
    for (let page = firstPage + 1; ; page++) {
      const items = pickNew((await request({ page, per_page: perPage })).items(), key, read);
      if (items.length === 0) return page === firstPage + 1 ? "proven" : "unsettled";
      yield items;
    }
  }
}

function pickNew<T>(items: readonly T[], key: (item: T) => string | number, read: Set<string | number>): T[] {
  return items.filter((item) => isNew(read, key(item)));
}

function isNew(known: Set<string | number>, key: string | number): boolean {
  return !known.has(key) && Boolean(known.add(key));
}

function isSameSet<K>(one: ReadonlySet<K>, other: ReadonlySet<K>): boolean {
  return one.size > 0 && one.size === other.size && [...one].every((item) => other.has(item));
}
