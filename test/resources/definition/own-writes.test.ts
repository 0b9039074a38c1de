/** Tests lists that do not show yet what the run has written. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReadCache } from "../../../resources/definition/read-cache.js";

interface Item {
  readonly id: number;
  readonly name?: string;
}

const isItem = (id: number) => (item: object) => (item as Item).id === id;
const shows = (reads: ReadCache, ...items: readonly Item[]) =>
  reads.list("groups", () => Promise.resolve({ items, end: "proven" as const }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a list that lags", () => {
  it("has what the run has created, at its end, for eight seconds", async () => {
    const reads = new ReadCache();
    reads.enter("groups", isItem(7), { id: 7, name: "QA" });
    expect(await shows(reads, { id: 1 })).toEqual([{ id: 1 }, { id: 7, name: "QA" }]);
    vi.setSystemTime(Date.now() + 7999);
    reads.forget("groups");
    expect(await shows(reads, { id: 1 })).toEqual([{ id: 1 }, { id: 7, name: "QA" }]);
    vi.setSystemTime(Date.now() + 1);
    reads.forget("groups");
    expect(await shows(reads, { id: 1 })).toEqual([{ id: 1 }]);
  });

  it("is right about everything that it shows", async () => {
    const reads = new ReadCache();
    reads.enter("groups", isItem(7), { id: 7, name: "QA" });
    expect(await shows(reads, { id: 7, name: "Quality" })).toEqual([{ id: 7, name: "Quality" }]);
  });

  it("does not have what the run has deleted since", async () => {
    const reads = new ReadCache();
    reads.enter("groups", isItem(7), { id: 7 });
    reads.enter("groups", isItem(8), { id: 8 });
    reads.enter("groups", isItem(7), undefined);
    expect(await shows(reads)).toEqual([{ id: 8 }]);
  });

  it("does not have what was there before a write that failed, which may have deleted it", async () => {
    const reads = new ReadCache();
    reads.enter("groups", isItem(7), { id: 7 });
    reads.forgetWritten("groups");
    expect(await shows(reads, { id: 1 })).toEqual([{ id: 1 }]);
  });

  it("may be a part of an object", async () => {
    const reads = new ReadCache();
    reads.enterWithin("pipeline", "actions", isItem(7), { id: 7 });
    const load = (actions: readonly Item[] | null) =>
      reads.single("pipeline", () => Promise.resolve({ id: 1, actions }));
    expect(await load([{ id: 1 }])).toEqual({ id: 1, actions: [{ id: 1 }, { id: 7 }] });
    reads.forget("pipeline");
    expect(await load(null)).toEqual({ id: 1, actions: [{ id: 7 }] });
    expect(await reads.list("pipelines", () => Promise.resolve({ items: [], end: "proven" }))).toEqual([]);
  });
});
