import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Listing } from "../../client/index.js";

/** A server's list of numbers, with a maximum page size of its own; counts the requests. */
class PagedServer {
  requests = 0;
  items: number[];

  constructor(
    size: number,
    readonly maxPerPage: number,
    readonly onRequest: (server: PagedServer) => void = () => {},
  ) {
    this.items = Array.from({ length: size }, (_, i) => i);
  }

  listing(perPage?: number): Listing<number> {
    return new Listing({
      perPage,
      key: (n) => n,
      page: ({ page, per_page }) => {
        this.requests++;
        const size = Math.min(per_page, this.maxPerPage);
        const answer = this.items.slice((page - 1) * size, page * size);
        this.onRequest(this);
        return Promise.resolve({ length: answer.length, items: () => answer });
      },
    });
  }
}

describe.each([20, 50, 100])("a server that gives at most %i items a page", (max) => {
  it.each([0, 1, 19, 20, 21, 49, 50, 51, 99, 100, 101, 200, 257])(
    "gives all of %i, each once, in order",
    async (size) => {
      const server = new PagedServer(size, max);
      expect(await server.listing().toArray()).toEqual(server.items);
    },
  );

  it("is asked once for a list shorter than the default page", async () => {
    const server = new PagedServer(19, max);
    await server.listing().toArray();
    expect(server.requests).toBe(1);
  });

  it("is asked for no page after a short one", async () => {
    const server = new PagedServer(max * 3 - 1, max);
    await server.listing().toArray();
    expect(server.requests).toBe(3);
  });

  it("misses nothing and repeats nothing when items are added in front while paging", async () => {
    let next = -1;
    const server = new PagedServer(170, max, (s) => s.items.unshift(next--));
    const before = [...server.items];
    const got = await server.listing().toArray();
    expect(new Set(got).size).toBe(got.length);
    expect(got).toEqual(expect.arrayContaining(before));
  });

  it("gives what is added at the end while paging", async () => {
    let next = 1000;
    const server = new PagedServer(170, max, (s) => s.items.push(next++));
    expect((await server.listing().toArray()).length).toBeGreaterThan(170);
  });
});

describe("a list", () => {
  it("ends on a server that ignores the page number", async () => {
    let requests = 0;
    const items = Array.from({ length: 45 }, (_, i) => i);
    const listing = new Listing({
      key: (n) => n,
      page: () => (requests++, Promise.resolve({ length: 45, items: () => items })),
    });
    expect(await listing.toArray()).toEqual(items);
    expect(requests).toBe(2);
  });

  it("may be asked for in smaller pages", async () => {
    const server = new PagedServer(25, 100);
    expect(await server.listing(10).toArray()).toHaveLength(25);
    expect(server.requests).toBe(3);
  });

  it("is read only as far as it is iterated", async () => {
    const server = new PagedServer(1000, 100);
    for await (const item of server.listing()) if (item === 150) break;
    expect(server.requests).toBe(2);
  });

  it("asks anew every time", async () => {
    const server = new PagedServer(3, 100);
    const listing = server.listing();
    await listing.toArray();
    server.items.push(3);
    expect(await listing.toArray()).toEqual([0, 1, 2, 3]);
  });

  it("is complete for any size, any server maximum from 20 on and any page size", async () => {
    const sizes = [fc.nat(400), fc.integer({ min: 20, max: 130 }), fc.integer({ min: 1, max: 130 })] as const;
    await fc.assert(
      fc.asyncProperty(...sizes, async (size, max, perPage) => {
        const server = new PagedServer(size, max);
        expect(await server.listing(perPage).toArray()).toEqual(server.items);
      }),
    );
  });
});
