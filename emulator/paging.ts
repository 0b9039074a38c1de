import { emptyValue } from "./errors.js";
import type { Fields } from "./fields.js";

export const defaultPageSize = 20;

/** The documented paging parameters (spec, "Limits"). */
export const pageQuery = {
  page: { type: "integer", min: 1, max: 1e9, description: "Page to return, counted from 1." },
  per_page: { type: "integer", min: 1, max: 1e9, description: "Page size; 20 when not given." },
} as const satisfies Fields;

export const sortDirection = { type: "string", values: ["ASC", "DESC"] } as const;

export interface PageQuery {
  page?: number;
  per_page?: number;
}

/** One page. A page past the end is empty; a page size above the server's maximum counts as the maximum. */
export function pageOf<T>(items: readonly T[], query: PageQuery, maxPerPage: number): readonly T[] {
  const size = Math.min(query.per_page ?? defaultPageSize, maxPerPage);
  const start = ((query.page ?? 1) - 1) * size;
  return items.slice(start, start + size);
}

/**
 * Lists for which the spec documents no paging come whole, unless a page is asked for: a client that pages through
 * every list then still ends.
 */
export function wholeOrPage<T>(
  items: readonly T[],
  query: Record<string, unknown>,
  max: number,
): readonly T[] {
  const asked: PageQuery = {};
  for (const name of ["page", "per_page"] as const) {
    const text = query[name];
    if (text === undefined) continue;
    if (typeof text !== "string" || !/^\d{1,9}$/.test(text) || Number(text) < 1) throw emptyValue(name);
    asked[name] = Number(text);
  }
  return asked.page === undefined && asked.per_page === undefined ? items : pageOf(items, asked, max);
}

type SortKey = string | number;

/** Sorted by a key, ties by id, both turned round by DESC. Without a key the order of creation. */
export function sorted<T extends { id: number }>(
  items: readonly T[],
  key: ((item: T) => SortKey) | undefined,
  direction: "ASC" | "DESC" | undefined,
): readonly T[] {
  if (key === undefined) return direction === "DESC" ? items.toReversed() : items;
  const sign = direction === "DESC" ? -1 : 1;
  return items
    .map((item) => ({ item, key: key(item) }))
    .sort((a, b) => sign * (compare(a.key, b.key) || a.item.id - b.item.id))
    .map(({ item }) => item);
}

function compare(a: SortKey, b: SortKey): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
