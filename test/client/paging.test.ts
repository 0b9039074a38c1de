/** Tests client/paging.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Listing } from "../../client/index.js";

/** Simulates a server with a list of numbers and a maximum page size; counts the requests. */
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

describe.each([20, 50, 100])("a server with at most %i items a page", (max) => {
  it.each([0, 1, 19, 20, 21, 49, 50, 51, 99, 100, 101, 200, 257])(
    "returns all %i items once, in order",
    async (size) => {
      const server = new PagedServer(size, max);
      expect(await server.listing().toArray()).toEqual(server.items);
    },
  );

  it("receives one request for a list shorter than the default page", async () => {
    const server = new PagedServer(19, max);
    await server.listing().toArray();
    expect(server.requests).toBe(1);
  });

  it("receives no request after a short page", async () => {
    const server = new PagedServer(max * 3 - 1, max);
    await server.listing().toArray();
    expect(server.requests).toBe(3);
  });

  it("causes neither gaps nor duplicates when items are inserted at the start while paging", async () => {
    let next = -1;
    const server = new PagedServer(170, max, (s) => s.items.unshift(next--));
    const before = [...server.items];
    const got = await server.listing().toArray();
    expect(new Set(got).size).toBe(got.length);
    expect(got).toEqual(expect.arrayContaining(before));
  });

  it("returns items that are appended while paging", async () => {
    let next = 1000;
    const server = new PagedServer(170, max, (s) => s.items.push(next++));
    expect((await server.listing().toArray()).length).toBeGreaterThan(170);
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
    expect(server.requests).toBe(3);
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

  it("is complete for any size, any page size and any server maximum from 20 on", async () => {
    const sizes = [fc.nat(400), fc.integer({ min: 20, max: 130 }), fc.integer({ min: 1, max: 130 })] as const;
    await fc.assert(
      fc.asyncProperty(...sizes, async (size, max, perPage) => {
        const server = new PagedServer(size, max);
        expect(await server.listing(perPage).toArray()).toEqual(server.items);
      }),
    );
  });
});
