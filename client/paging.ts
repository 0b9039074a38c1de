/** The pages of a list call. Areas add their own filters and sort options. */
export interface PageQuery {
  /** Items per request. Default 100; the service may return fewer. */
  per_page?: number;
  /** First page. Default 1. */
  page?: number;
}

/** The spec's default page size: a shorter first page ends every list, whatever the server's maximum is. */
const DEFAULT_PAGE = 20;
export const ASK_PER_PAGE = 100;

export interface ListingSource<T> {
  perPage?: number | undefined;
  firstPage?: number | undefined;
  /** Identifies an item: its id, or its name where it has no id. */
  key: (item: T) => string | number;
  page: (query: { page: number; per_page: number }) => Promise<Page<T>>;
}

/** A page: the number of its items is known before they are checked. */
export interface Page<T> {
  length: number;
  items: () => readonly T[];
}

/**
 * A list that is read page by page while it is iterated: `for await (const group of client.groups.list("acme"))`.
 * Every iteration reads the list again. Items that appear on two pages (because something was added in between)
 * are returned once.
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
    const all: T[] = [];
    for await (const page of this.#pages(true)) for (const item of page) all.push(item);
    return all;
  }

  /** The new items of each page, one request per page. */
  pages(): AsyncGenerator<T[], void, undefined> {
    return this.#pages(false);
  }

  /** `eager`: requests the next page while the caller works on this one. */
  async *#pages(eager: boolean): AsyncGenerator<T[], void, undefined> {
    const { key, page: fetchPage, perPage = ASK_PER_PAGE, firstPage = 1 } = this.#source;
    const request = (page: number) => fetchPage({ page, per_page: perPage });
    const returned = new Set<string | number>();
    let full = Math.min(perPage, DEFAULT_PAGE);
    let next: Promise<Page<T>> | undefined;
    for (let page = firstPage; ; page++) {
      const response = await (next ?? request(page));
      const isLast = response.length < full;
      // From the third page on: before, it is not known whether the service respects the page number.
      next = eager && page > firstPage + 1 && !isLast ? request(page + 1) : undefined;
      // If this page is the last one or fails, nothing awaits the next one.
      next?.catch(() => {});
      const fresh = response.items().filter((item) => {
        const k = key(item);
        return !returned.has(k) && returned.add(k);
      });
      if (fresh.length > 0) yield fresh;
      if (fresh.length === 0 || isLast) return;
      // The first page was full by the documented default: its length is the server's own maximum for this list.
      if (page === firstPage) full = response.length;
    }
  }
}
