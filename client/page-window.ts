/** Chooses the pages of a list so that each overlaps the one before, and remembers how many items a page of the service can have. */

/** The spec's default page size. A service with a smaller maximum than it documents usually has a round one. */
const DEFAULT_PAGE = 20;
const ROUND = 10;

/** A page in the terms of the service, and the number of its items that were read before. */
interface PageWindow {
  readonly page: number;
  readonly size: number;
  readonly overlap: number;
}

/**
 * The page that begins among the last items that were read and shows most of what follows. With a very small maximum there may be none;
 * then the next page follows without an overlap.
 * @param end number of items before the page
 * @param most most items of a page
 */
export function chooseWindow(end: number, most: number): PageWindow {
  let best: PageWindow | undefined;
  const gain = ({ size, overlap }: PageWindow) => size - overlap;
  for (let size = most; size > 1 && size - 1 > (best ? gain(best) : 0); size--) {
    const page = Math.floor((end - 1) / size);
    const window = { page: page + 1, size, overlap: end - page * size };
    if (gain(window) > (best ? gain(best) : 0)) best = window;
  }
  return best ?? { page: end / most + 1, size: most, overlap: 0 };
}

/** The largest pages of a service. A shorter page is the last one of its list. */
export class PageSizes {
  private readonly largest = new Map<string, number>();

  /** @param list the name of the list in responses, because a service may have a maximum for each */
  note(list: string, items: number): void {
    this.largest.set(list, Math.max(items, this.largest.get(list) ?? 0));
  }

  /** Whether a list whose first page has so many items may have more. @param isSure pages of other lists prove nothing */
  allowsMore(list: string, items: number, isSure: boolean): boolean {
    const known = isSure ? [this.largest.get(list) ?? 0] : [...this.largest.values()];
    return known.every((largest) => items >= largest);
  }
}

/** Whether a page of this size is hardly the maximum of a service. */
export function isLikelyEnd(items: number): boolean {
  return items < DEFAULT_PAGE && items % ROUND !== 0;
}

/** The requests that read a list of so many items from a service with this maximum, as far as no other list proves its end. */
export function countPageRequests(items: number, isSure: boolean, most = 100): number {
  let [end, requests] = [Math.min(items, most), 1];
  if (end < most && !isSure && isLikelyEnd(end)) return requests;
  for (let isLast = end === 0; !isLast; requests++) {
    const { page, size, overlap } = chooseWindow(end, end < most ? end : most);
    isLast = items - (page - 1) * size < size;
    end += size - overlap;
  }
  return requests;
}
