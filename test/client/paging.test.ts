/** Tests client/paging.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Listing } from "../../client/index.js";
import { PageSizes } from "../../client/page-window.js";

interface Behavior {
  /** Items of a page if the service does not respect the requested number. */
  readonly fixed?: number;
  /** Returns the first page, whatever page is requested. */
  readonly unpaged?: boolean;
  readonly onRequest?: (server: PagedServer) => void;
}

/** Simulates a server with a list of numbers and a maximum page size; counts the requests. */
class PagedServer {
  requests = 0;
  items: number[];
  readonly sizes = new PageSizes();

  constructor(
    size: number,
    readonly maxPerPage: number,
    readonly behavior: Behavior = {},
  ) {
    this.items = Array.from({ length: size }, (_, i) => i);
  }

  listing(perPage?: number, list = "items", isLargest = false): Listing<number> {
    return new Listing({
      perPage,
      isLargest,
      sizes: this.sizes,
      list,
      key: (n) => n,
      page: ({ page, per_page }) => {
        this.requests++;
        const size = this.behavior.fixed ?? Math.min(per_page, this.maxPerPage);
        const start = this.behavior.unpaged ? 0 : (page - 1) * size;
        const answer = this.items.slice(start, start + size);
        this.behavior.onRequest?.(this);
        return Promise.resolve({ length: answer.length, items: () => answer });
      },
    });
  }
}

describe.each([1, 2, 3, 7, 10, 20, 50, 100])("a server with at most %i items a page", (max) => {
  it.each([0, 1, 9, 10, 11, 19, 20, 21, 49, 50, 51, 99, 100, 101, 200, 257])(
    "returns all %i items once, in order",
    async (size) => {
      const server = new PagedServer(size, max);
      expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
    },
  );

  it("receives no request after a page that is shorter than another one", async () => {
    const server = new PagedServer(max * 3 - 1, max);
    await server.listing().toArray();
    server.items = server.items.slice(0, max - 1);
    server.requests = 0;
    await server.listing().toArray();
    expect(server.requests).toBe(1);
  });

  it("causes neither gaps nor duplicates when items are inserted at the start while paging", async () => {
    let next = -1;
    // A page has to be much larger than what is inserted before the next one.
    const onRequest = (s: PagedServer) => max > 3 && s.items.unshift(next--);
    const server = new PagedServer(170, max, { onRequest });
    const before = [...server.items];
    const got = await server.listing().toArray();
    expect(new Set(got).size).toBe(got.length);
    expect(got).toEqual(expect.arrayContaining(before));
  });
});

describe.each([3, 4, 7, 10, 20, 50, 100])("a list that changes between pages of at most %i items", (max) => {
  it("is read again when an item is removed, so that none is missed", async () => {
    for (const at of [1, 2, 3]) {
      const server = new PagedServer(257, max, { onRequest: (s) => s.requests === at && s.items.shift() });
      const { items, end } = await server.listing().read(true);
      expect(items).toEqual(expect.arrayContaining(server.items));
      expect(end).toBe("proven");
    }
  });

  it("is known to be unsettled when it changes in each pass", async () => {
    const server = new PagedServer(257, max, { onRequest: (s) => s.items.shift() });
    expect((await server.listing().read(true)).end).toBe("unsettled");
  });

  it("also returns an item in the pages that one of the passes has missed", async () => {
    const server = new PagedServer(257, max, { onRequest: (s) => s.requests === 1 && s.items.shift() });
    const got: number[] = [];
    for await (const item of server.listing()) got.push(item);
    expect(got).toEqual(expect.arrayContaining(server.items));
    expect(new Set(got).size).toBe(got.length);
  });

  it("returns items that are appended while paging", async () => {
    let next = 1000;
    const server = new PagedServer(max * 2, max, {
      onRequest: (s) => s.requests < 20 && s.items.push(next++),
    });
    expect((await server.listing().toArray()).length).toBeGreaterThan(max * 2);
  });
});

describe("a server with its own size of a page", () => {
  it("is read to the end, and once more to know whether the list has changed", async () => {
    const server = new PagedServer(45, 0, { fixed: 10 });
    expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
    const shifted = new PagedServer(45, 0, {
      fixed: 10,
      onRequest: (s) => s.requests === 3 && s.items.shift(),
    });
    expect(await shifted.listing().read(true)).toEqual({ items: shifted.items, end: "proven" });
  });

  it.each([3, 7, 10, 30, 49, 100])(
    "of %i items is read completely, however long the list is",
    async (fixed) => {
      for (const size of [1, 3, fixed - 1, fixed, fixed + 1, 2 * fixed - 2, 2 * fixed, 3 * fixed + 1]) {
        const server = new PagedServer(size, 0, { fixed });
        expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
      }
    },
  );

  it("has no more if it returns more than was requested", async () => {
    const server = new PagedServer(150, 0, { fixed: 1000 });
    expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
  });
});

describe("a server that returns its first page, whatever page is requested", () => {
  it.each([3, 7, 10, 20, 100])("and at most %i items, never proves that these are all", async (max) => {
    for (const size of [3, max - 1, max, max + 1, 3 * max].filter((one) => one > 2)) {
      const server = new PagedServer(size, max, { unpaged: true });
      const { items, end } = await server.listing().read(true);
      expect(items).toEqual(server.items.slice(0, max));
      expect(end).toBe("unsettled");
      expect(server.requests).toBe(3);
    }
  });

  it("and ignores the number of items too, has no pages: these are all", async () => {
    for (const size of [1, 2, 3, 45, 99, 100, 257]) {
      const server = new PagedServer(size, 0, { unpaged: true, fixed: 1000 });
      expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
    }
  });
});

describe("a list to which a whole page is added while it is read", () => {
  it("is read again", async () => {
    const onRequest = (s: PagedServer) =>
      s.requests === 1 && s.items.unshift(...Array.from({ length: 12 }, (_, i) => -1 - i));
    const server = new PagedServer(45, 10, { onRequest });
    const { items, end } = await server.listing().read(true);
    expect(items).toEqual(server.items);
    expect(end).toBe("proven");
  });
});

describe("the end of a list", () => {
  it("is assumed after a short page of no usual size, until another request proves it", async () => {
    const server = new PagedServer(7, 100);
    expect(await server.listing().read(false)).toEqual({ items: server.items, end: "assumed" });
    expect(server.requests).toBe(1);
    expect(await server.listing().read(true)).toEqual({ items: server.items, end: "proven" });
    expect(server.requests).toBe(3);
  });

  it("is proven by one request if it is where it was assumed", async () => {
    const server = new PagedServer(7, 3);
    expect(await server.listing().endsAt(7)).toBe(true);
    expect(await server.listing().endsAt(6)).toBe(false);
    expect(server.requests).toBe(2);
    expect(await new PagedServer(7, 10, { unpaged: true }).listing().endsAt(7)).toBe(false);
  });

  it("is not assumed after a page of a usual size", async () => {
    for (const size of [10, 20, 25, 30]) {
      const server = new PagedServer(size * 2 + 1, size);
      expect(await server.listing().read(false)).toEqual({ items: server.items, end: "proven" });
    }
  });

  it("is proven by a larger page of another list, unless the caller has to be sure", async () => {
    const server = new PagedServer(45, 100);
    await server.listing(undefined, "others").read(false);
    server.items = [1, 2, 3];
    server.requests = 0;
    expect((await server.listing().read(false)).end).toBe("proven");
    expect(server.requests).toBe(1);
    expect((await server.listing().read(true)).end).toBe("proven");
    expect(server.requests).toBe(3);
  });

  it("is proven by a short page where the largest one was measured", async () => {
    const server = new PagedServer(7, 10);
    expect(await server.listing(10, "items", true).read(false)).toEqual({
      items: server.items,
      end: "proven",
    });
    expect(server.requests).toBe(1);
  });

  it("is proven by an empty list", async () => {
    const server = new PagedServer(0, 100);
    expect(await server.listing().read(false)).toEqual({ items: [], end: "proven" });
    expect(server.requests).toBe(1);
  });
});

describe("a list", () => {
  it("ends even if the server ignores the page number", async () => {
    let requests = 0;
    const items = Array.from({ length: 45 }, (_, i) => i);
    const listing = new Listing({
      key: (n) => n,
      page: () => (requests++, Promise.resolve({ length: 45, items: () => items })),
    });
    expect(await listing.toArray()).toEqual(items);
    expect(requests).toBe(2);
  });

  it("can have a smaller page size", async () => {
    const server = new PagedServer(25, 100);
    expect(await server.listing(10).toArray()).toHaveLength(25);
    expect(server.requests).toBe(4);
  });

  it("is read only as far as it is iterated", async () => {
    const server = new PagedServer(1000, 100);
    for await (const item of server.listing()) if (item === 150) break;
    expect(server.requests).toBe(2);
  });

  it("is requested again for each iteration", async () => {
    const server = new PagedServer(3, 100);
    const listing = server.listing();
    await listing.toArray();
    server.items.push(3);
    expect(await listing.toArray()).toEqual([0, 1, 2, 3]);
  });

  it("is complete for any size, page size and maximum, also when items are removed meanwhile", async () => {
    const sizes = [fc.nat(400), fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 130 })] as const;
    await fc.assert(
      fc.asyncProperty(...sizes, fc.nat(6), fc.nat(400), async (size, max, perPage, at, removed) => {
        const onRequest = (s: PagedServer) => s.requests === at && s.items.splice(removed, 1);
        const server = new PagedServer(size, max, { onRequest });
        const { items, end } = await server.listing(perPage).read(true);
        if (Math.min(max, perPage) > 2 && end === "proven")
          expect(items).toEqual(expect.arrayContaining(server.items));
        if (at === 0) expect(items).toEqual(server.items);
      }),
    );
  });
});
