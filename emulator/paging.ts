import { z } from "zod";
import { emptyValue } from "./errors.js";
import { integer, type Fields } from "./fields.js";

export const defaultPageSize = 20;

/** Paging parameters (spec, "Limits"). */
export const pageQuery = {
  page: integer.min(1).max(1e9).describe("Page to return, counted from 1."),
  per_page: integer.min(1).max(1e9).describe("Page size; 20 when not given."),
} as const satisfies Fields;

export const sortDirection = z.enum(["ASC", "DESC"]);

export interface PageQuery {
  page?: number;
  per_page?: number;
}

/** Returns one page. A page past the end is empty, and a page size above the maximum counts as the maximum. */
export function pageOf<T>(items: readonly T[], query: PageQuery, maxPerPage: number): readonly T[] {
  const size = Math.min(query.per_page ?? defaultPageSize, maxPerPage);
  const start = ((query.page ?? 1) - 1) * size;
  return items.slice(start, start + size);
}

/**
 * Returns the whole list unless a page is requested, for lists without documented paging. Clients that page through
 * every list then terminate.
 */
export function allOrPage<T>(items: readonly T[], query: Record<string, unknown>, max: number): readonly T[] {
  const requested: PageQuery = {};
  for (const name of ["page", "per_page"] as const) {
    const text = query[name];
    if (text === undefined) continue;
    if (typeof text !== "string" || !/^\d{1,9}$/.test(text) || Number(text) < 1) throw emptyValue(name);
    requested[name] = Number(text);
  }
  return requested.page === undefined && requested.per_page === undefined
    ? items
    : pageOf(items, requested, max);
}

type SortKey = string | number;

/** Sorts by a key, then by id. DESC reverses both. Without a key the order of creation applies. */
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
