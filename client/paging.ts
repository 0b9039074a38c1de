/** What a list call may say about its pages; areas add their own filters and sort options. */
export interface PageQuery {
  /** Items asked for per request. Default 100; the service may give fewer. */
  per_page?: number;
  /** Page to begin with. Default 1. */
  page?: number;
}

/** The spec's default page: a shorter first page ends every list, whatever the server's maximum is. */
const DEFAULT_PAGE = 20;
export const ASK_PER_PAGE = 100;

export interface ListingSource<T> {
  perPage?: number | undefined;
  firstPage?: number | undefined;
  /** What tells two items apart: the id, or the name where there is none. */
  key: (item: T) => string | number;
  page: (query: { page: number; per_page: number }) => Promise<Page<T>>;
}

/** A page as it came: how many items it has is known before they are checked. */
export interface Page<T> {
  length: number;
  items: () => readonly T[];
}

/**
 * A list that is read page by page while it is iterated: `for await (const group of client.groups.list("acme"))`.
 * Every iteration asks the service anew. Items that appear on two pages (because something was added in between)
 * are given once.
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

  /** `eager`: who wants all pages has the next one on its way while this one is looked at. */
  async *#pages(eager: boolean): AsyncGenerator<T[], void, undefined> {
    const { key, page: fetchPage, perPage = ASK_PER_PAGE, firstPage = 1 } = this.#source;
    const ask = (page: number) => fetchPage({ page, per_page: perPage });
    const seen = new Set<string | number>();
    let full = Math.min(perPage, DEFAULT_PAGE);
    let next: Promise<Page<T>> | undefined;
    for (let page = firstPage; ; page++) {
      const answer = await (next ?? ask(page));
      const isLast = answer.length < full;
      // From the third answer on: before, it is not known whether the service heeds the page's number.
      next = eager && page > firstPage + 1 && !isLast ? ask(page + 1) : undefined;
      // If this page turns out to be the last or wrong, nobody waits for the next one.
      next?.catch(() => {});
      const fresh = answer.items().filter((item) => {
        const k = key(item);
        return !seen.has(k) && seen.add(k);
      });
      if (fresh.length > 0) yield fresh;
      if (fresh.length === 0 || isLast) return;
      // The first page was full by the documented default: its length is the server's own maximum for this list.
      if (page === firstPage) full = answer.length;
    }
  }
}
