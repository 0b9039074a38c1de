/** Lists of services whose order or pages change while they are read. */
import type { Settings } from "./settings.js";

type ListSettings = Pick<Settings, "listOrder" | "pageShift">;

/** Counts how often each list was read from its beginning. */
export class ListReadings {
  private readonly counts = new Map<string, number>();

  /** Returns the number of the reading that a request for a page belongs to. The first page begins one. */
  count(list: string, page: number): number {
    const count = (this.counts.get(list) ?? 0) + (page === 1 ? 1 : 0);
    this.counts.set(list, count);
    return count;
  }
}

/** Returns the items in the order of this reading. */
export function orderItems<T>(
  items: readonly T[],
  reading: number,
  { listOrder }: ListSettings,
): readonly T[] {
  if (listOrder === "oldest" || items.length < 2) return items;
  if (listOrder === "newest") return items.toReversed();
  const first = (reading * 7) % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Returns by how many items the pages after the first one are shifted in this reading. */
export function shiftPages(page: number, reading: number, { pageShift }: ListSettings): -1 | 0 | 1 {
  if (page === 1 || pageShift === "none" || reading % 2 === 0) return 0;
  return pageShift === "skip" ? 1 : -1;
}
