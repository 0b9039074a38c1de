/** Pages and sort order of lists. */
import { z } from "zod";
import { createBadRequestError, createEmptyValueError } from "./errors.js";
import { type Fields, integer } from "./fields.js";
import type { Settings } from "./settings.js";

const defaultPageSize = 20;

/** Paging parameters (spec, "Limits"). */
export const pageQuery = {
  page: integer.min(1).max(1e9).describe("Page to return, counted from 1."),
  per_page: integer.min(1).max(1e9).describe("Page size; 20 when not given."),
} as const satisfies Fields;

export interface PageQuery {
  page?: number;
  per_page?: number;
}

type PageLimits = Pick<Settings, "maxPerPage" | "largePages" | "undocumentedPages">;

/**
 * Returns one page. A page past the end is empty. A page size above the maximum counts as the maximum, or is refused.
 * @param shift number of items by which the page begins later
 */
export function pickPage<T>(
  items: readonly T[],
  query: PageQuery,
  { maxPerPage, largePages }: PageLimits,
  shift = 0,
): readonly T[] {
  if (largePages === "refused" && (query.per_page ?? 0) > maxPerPage)
    throw createBadRequestError(`'per_page' must not exceed ${maxPerPage}.`);
  const size = Math.min(query.per_page ?? defaultPageSize, maxPerPage);
  const start = ((query.page ?? 1) - 1) * size + shift;
  return items.slice(start, start + size);
}

/**
 * Returns the whole list unless a page is requested, for lists without documented paging. Clients that page through
 * every list then terminate. A setting of the service can choose otherwise.
 */
export function pickAllOrPage<T>(
  items: readonly T[],
  query: Record<string, unknown>,
  limits: PageLimits,
  shift = 0,
): readonly T[] {
  if (limits.undocumentedPages === "ignored") return items;
  const requested: PageQuery = {};
  for (const name of ["page", "per_page"] as const) {
    const text = query[name];
    if (text === undefined) continue;
    if (typeof text !== "string" || !/^\d{1,9}$/.test(text) || Number(text) < 1)
      throw createEmptyValueError(name);
    requested[name] = Number(text);
  }
  const isRequested = requested.page !== undefined || requested.per_page !== undefined;
  return isRequested || limits.undocumentedPages === "always"
    ? pickPage(items, requested, limits, shift)
    : items;
}

type SortKeys<T> = Readonly<Record<string, (item: T) => string | number>>;

/** Returns the query of a list that has pages and can be sorted by these keys. */
export function defineSortQuery<const K extends string>(...keys: readonly K[]) {
  return { ...pageQuery, sort_by: z.enum(keys), sort_direction: z.enum(["ASC", "DESC"]) };
}

/** Sorts by the requested key, then by id. DESC reverses both. Without a key the order of creation applies. */
export function sortItems<T extends { id: number }>(
  items: readonly T[],
  keys: SortKeys<T>,
  { sort_by, sort_direction }: { sort_by?: string; sort_direction?: "ASC" | "DESC" },
): readonly T[] {
  const key = sort_by === undefined ? undefined : keys[sort_by];
  if (key === undefined) return sort_direction === "DESC" ? items.toReversed() : items;
  const sign = sort_direction === "DESC" ? -1 : 1;
  return items
    .map((item) => ({ item, key: key(item) }))
    .sort((a, b) => sign * (a.key === b.key ? a.item.id - b.item.id : a.key < b.key ? -1 : 1))
    .map(({ item }) => item);
}
