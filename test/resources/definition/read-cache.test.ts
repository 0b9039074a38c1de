/**
 * Tests coalesced reads: in any order of requests and responses, and after any lost one, they return the same
 * result as separate reads. The scheduler of fast-check decides which request continues next.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ListReading } from "../../../client/index.js";
import { ReadCache, SharedReadCache } from "../../../resources/definition/read-cache.js";

const whole = async <T>(items: readonly T[]) => Promise.resolve({ items, end: "proven" as const });

interface Item {
  readonly id: number;
  readonly value: number;
}

const isItem = (id: number) => (item: object) => (item as Item).id === id;

describe("a cached list", () => {
  it("takes one request for concurrent and later readers", async () => {
    const reads = new ReadCache();
    let requests = 0;
    const load = () => whole([{ id: ++requests }]);
    await Promise.all([reads.list("items", load), reads.list("items", load)]);
    expect(await reads.list("items", load)).toEqual([{ id: 1 }]);
    expect(requests).toBe(1);
  });

  it("is read again after a failed request, even if an object was written meanwhile", async () => {
    const reads = new ReadCache();
    const failing = reads.list("items", () => Promise.reject(new Error("lost")));
    reads.enter("items", isItem(1), { id: 1, value: 1 });
    await expect(failing).rejects.toThrow("lost");
    expect(await reads.list("items", () => whole([{ id: 1 }]))).toEqual([{ id: 1 }]);
  });

  it("keeps the order of its items and their fields that only the list contains", async () => {
    const reads = new ReadCache();
    const load = () => whole([{ id: 1, value: 1, listed: true }, { id: 2 }]);
    await reads.list("items", load);
    reads.enter("items", isItem(1), { id: 1, value: 9 });
    reads.enter("items", isItem(3), { id: 3 });
    expect(await reads.list("items", load)).toEqual([
      { id: 1, value: 9, listed: true },
      { id: 2 },
      { id: 3 },
    ]);
  });

  it("is dropped with the parent object, but not with one of a similar name", async () => {
    const reads = new ReadCache();
    const read = (key: string, id: number) => reads.list(key, () => whole([{ id }]));
    await Promise.all(["projects/web/pipelines", "projects/website/pipelines"].map((key) => read(key, 1)));
    reads.forgetBelow("projects/web");
    expect(await read("projects/web/pipelines", 2)).toEqual([{ id: 2 }]);
    expect(await read("projects/website/pipelines", 2)).toEqual([{ id: 1 }]);
  });
});

describe("a cached object", () => {
  const whole = (actions?: object[]) => ({ id: 7, actions });

  it("takes one request, and is forgotten with everything in it", async () => {
    const reads = new ReadCache();
    let requests = 0;
    const read = () => reads.single("pipelines/7", () => Promise.resolve({ id: ++requests }));
    expect(await Promise.all([read(), read()])).toEqual([{ id: 1 }, { id: 1 }]);
    reads.forgetBelow("pipelines/7/actions");
    expect(await read()).toEqual({ id: 1 });
    reads.forgetBelow("pipelines/7");
    expect(await read()).toEqual({ id: 2 });
  });

  it("includes what is written into a list within it", async () => {
    const reads = new ReadCache();
    const read = (actions?: object[]) => reads.single("pipelines/7", () => Promise.resolve(whole(actions)));
    const enter = (id: number, written?: object) =>
      reads.enterWithin("pipelines/7", "actions", isItem(id), written);
    await read();
    enter(1, { id: 1, value: 1 });
    enter(2, { id: 2 });
    enter(1, { id: 1, value: 9 });
    enter(2);
    expect(await read()).toEqual(whole([{ id: 1, value: 9 }]));
  });
});

describe("a list whose positions shift", () => {
  it("is read again only if the write was in progress meanwhile", async () => {
    const reads = new ReadCache();
    let requests = 0;
    const read = () => reads.list("items", () => whole([{ id: ++requests }]));
    reads.shift(["items"])();
    await read();
    reads.shift(["items"])();
    expect(await read()).toEqual([{ id: 1 }]);
    const ended = reads.shift(["items"]);
    reads.forget("items");
    await read();
    ended();
    expect(await read()).toEqual([{ id: 3 }]);
  });
});

describe("the responses of an interrupted run", () => {
  it("are taken from the store, which receives the others", async () => {
    const reads = new ReadCache();
    const stored = new Map<string, object>([["groups", [{ id: 1 }]]]);
    reads.store = {
      load: (key) => stored.get(key),
      save: (key, response) => stored.set(key, response),
    };
    expect(await reads.list("groups", () => Promise.reject(new Error("not again")))).toEqual([{ id: 1 }]);
    await reads.list("members", () => whole([{ id: 2 }]));
    expect(stored.get("members")).toEqual([{ id: 2 }]);
  });
});

describe("reads shared by the sessions of a command", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const address = "https://host/workspaces/acme";
  const ask = (shared: SharedReadCache, value: number) =>
    shared.of(address).list("items", () => whole([{ value }]));

  it("take one request and include later writes", async () => {
    const listed: string[] = [];
    const shared = new SharedReadCache((key, items) => listed.push(`${key} ${items}`));
    expect(shared.isRead(address, "items")).toBe(false);
    await ask(shared, 1);
    expect(shared.isRead(address, "items")).toBe(true);
    shared.of(address).enter("items", () => true, { value: 2 });
    expect(await ask(shared, 3)).toEqual([{ value: 2 }]);
    const other = shared.of("https://other/workspaces/acme");
    expect(await other.list("items", () => whole([]))).toEqual([]);
    expect(listed).toEqual(["items 1", "items 0"]);
  });

  it("expire a minute after their last use", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const shared = new SharedReadCache();
    await ask(shared, 1);
    vi.setSystemTime(Date.now() + 59_000);
    expect(await ask(shared, 2)).toEqual([{ value: 1 }]);
    vi.setSystemTime(Date.now() + 59_000);
    shared.used();
    vi.setSystemTime(Date.now() + 59_000);
    expect(await ask(shared, 3)).toEqual([{ value: 1 }]);
    vi.setSystemTime(Date.now() + 61_000);
    expect(await ask(shared, 4)).toEqual([{ value: 4 }]);
  });

  it("count their failures and are repeated", async () => {
    const shared = new SharedReadCache();
    const failing = shared.of(address).list("items", () => Promise.reject(new Error("gone")));
    await expect(failing).rejects.toThrow("gone");
    expect([shared.failures(address), shared.isRead(address, "items")]).toEqual([1, false]);
    expect(await ask(shared, 1)).toEqual([{ value: 1 }]);
    expect(shared.failures("https://other/workspaces/acme")).toBe(0);
  });

  it("do not wait for a pending request of an abandoned session", async () => {
    const shared = new SharedReadCache();
    const abandoned = shared.of(address);
    void abandoned.list("items", () => new Promise<ListReading<object>>(() => {}));
    abandoned.forgetPending();
    expect(await ask(shared, 2)).toEqual([{ value: 2 }]);
  });
});

describe("a read of an earlier session that fails late", () => {
  it("does not discard the one of the present session", async () => {
    const shared = new SharedReadCache();
    const address = "https://host/workspaces/acme";
    let fail = (_error: Error) => {};
    const late = shared
      .of(address)
      .list("items", () => new Promise<ListReading<object>>((_done, no) => (fail = no)));
    let requests = 0;
    const reads = shared.of(address);
    reads.forgetPending();
    const read = () => reads.list("items", () => whole([{ id: ++requests }]));
    await read();
    fail(new Error("lost"));
    await expect(late).rejects.toThrow("lost");
    await read();
    expect(requests).toBe(1);
  });
});

describe("reads during concurrent writes", () => {
  it("include every write that ended before the read began, even in a list of two pages that shift", async () => {
    const writes = fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), gone: fc.boolean() }), {
      maxLength: 6,
    });
    const readers = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), writes, readers, async (s, todo, count) => {
        const server = new Map<number, number>([1, 2, 3, 4].map((id) => [id, 0]));
        const reads = new ReadCache();
        /** Holds the last known value of each object; objects with a pending write are excluded. */
        const known = new Map<number, number | undefined>(server);
        const writing = new Set<number>();
        const page = async (number: number): Promise<Item[]> => {
          await s.schedule(Promise.resolve(), `ask for page ${number}`);
          const items = [...server].map(([id, value]) => ({ id, value }));
          await s.schedule(Promise.resolve(), `page ${number}`);
          return items.slice(2 * number, 2 * number + 2);
        };
        const load = async () => whole([...(await page(0)), ...(await page(1))]);
        const read = async () => {
          await s.schedule(Promise.resolve(), "a read begins");
          const [expected, busy] = [new Map(known), new Set(writing)];
          const items = (await reads.list("items", load)) as Item[];
          // A concurrent write may or may not be visible; without one, the items equal the expected ones.
          if ([...known].some(([id, value]) => expected.get(id) !== value) || writing.size + busy.size > 0)
            return;
          const there = [...expected].filter(([, value]) => value !== undefined);
          expect(items.map(({ id, value }) => [id, value]).sort()).toEqual(there.sort());
        };
        const write = async (id: number, gone: boolean, value: number) => {
          await s.schedule(Promise.resolve(), `write ${id}`);
          if (writing.has(id)) return;
          writing.add(id);
          const ended = gone ? reads.shift(["items"]) : () => {};
          await s.schedule(Promise.resolve(), `${id} is written`);
          if (gone) server.delete(id);
          else server.set(id, value);
          await s.schedule(Promise.resolve(), `answer about ${id}`);
          reads.enter("items", isItem(id), gone ? undefined : { id, value });
          ended();
          known.set(id, gone ? undefined : value);
          writing.delete(id);
        };
        const all = [
          ...todo.map(({ id, gone }, i) => write(id, gone, i + 1)),
          ...Array.from({ length: count }, () => read()),
        ];
        await s.waitFor(Promise.all(all));
        await s.waitFor(read());
      }),
      { numRuns: 500 },
    );
  });
});
