/** Tests what a journal tells of the runs before, without any process, service or disk. */
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ActivityCheck, type JournalFile } from "../../recovery/journal-file.js";
import { findOwner } from "../../recovery/process-owner.js";
import { type JournalOptions, RunJournal } from "../../recovery/run-journal.js";
import { group, MemoryStore } from "./memory-store.js";

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});
afterEach(() => {
  vi.useRealTimers();
});

const DAY = 24 * 60 * 60 * 1000;
const opened = (options: JournalOptions = {}) => new RunJournal(store, { env: {}, ...options });
const beside = (options: JournalOptions = {}) => opened({ besideState: true, ...options });
const later = (milliseconds: number) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
};

describe("the journal of a run", () => {
  it("says first which process writes it", async () => {
    const journal = opened({ engine: () => "127.0.0.1:1" });
    await journal.intend(group);
    await journal.intend({ ...group, key: "Ops" });
    expect(store.lines()).toEqual([
      { pid: process.pid, engine: "127.0.0.1:1", owner: findOwner(process.pid) },
      expect.objectContaining({ type: "Group", address: group.address }),
      expect.objectContaining({ type: "Group" }),
    ]);
  });

  it("is removed at its end, unless something is open", async () => {
    const journal = opened();
    journal.end();
    const [one, other] = [await journal.intend(group), await journal.intend({ ...group, key: "Ops" })];
    one.close();
    journal.end();
    expect(store.lines().at(-1)).toEqual({ over: true });
    other.close();
    other.close();
    expect(store.lines().filter(({ closed }) => closed !== undefined)).toHaveLength(2);
    journal.end();
    expect(store.files.size).toBe(0);
  });

  it("keeps what the engine received just before the end", async () => {
    const journal = opened();
    const [early, late] = [await journal.intend(group), await journal.intend({ ...group, key: "Ops" })];
    early.handOver();
    later(30_001);
    late.handOver();
    journal.end();
    expect(store.lines().map((line) => ["closed", "ended", "over"].find((word) => word in line))).toEqual([
      ...[undefined, undefined, undefined],
      ...["closed", "ended", "over"],
    ]);
  });

  it("waits until the id is stored only where nothing else finds the object", async () => {
    const journal = opened();
    const found = await journal.intend(group);
    const hidden = await journal.intend({ ...group, key: "hidden" }, ["1", "2"]);
    const nameless = await journal.intend({ ...group, key: "nameless:1" });
    let stored = 0;
    vi.spyOn(store, "append").mockImplementation(async () => {
      await Promise.resolve();
      await Promise.resolve();
      stored++;
    });
    await found.made("acme/1");
    expect(stored).toBe(0);
    await hidden.made("acme/2");
    expect(stored).toBe(2);
    await nameless.made("acme/3");
    expect(stored).toBe(3);
    expect([found.id, hidden.before]).toEqual(["acme/1", ["1", "2"]]);
  });
});

describe("a killed run", () => {
  const kill = async (work: (journal: RunJournal) => Promise<unknown>, options: JournalOptions = {}) => {
    await work(opened(options));
    store.kill();
  };

  it("has left what it did not finish", async () => {
    await kill(async (journal) => (await journal.intend(group, ["7"])).made("acme/9"));
    expect(await opened().openIntent(group)).toMatchObject({ id: "acme/9", before: ["7"] });
    expect(await opened().openIntent({ ...group, key: "Ops" })).toBeUndefined();
  });

  it("has left nothing that it closed", async () => {
    await kill(async (journal) => (await journal.intend(group)).close());
    expect(await opened().openIntent(group)).toBeUndefined();
    expect(store.files.size).toBe(0);
  });

  it("has left what the engine got only if the state does not have it", async () => {
    await kill(async (journal) => {
      (await journal.intend(group)).handOver();
      journal.end();
    });
    expect(await opened().openIntent(group)).toBeUndefined();
    expect(await opened().openIntent(group, true)).toBeDefined();
  });

  it("is still running while its process and its engine are", async () => {
    await opened().intend(group);
    expect(await opened().openIntent(group)).toBeUndefined();
    store.files.clear();
    // Nothing listens at the address of its engine.
    await opened({ engine: () => "127.0.0.1:1" }).intend(group);
    expect(await opened().openIntent(group)).toBeDefined();
  });

  it("is not asked at an address of another machine, which anybody may have written", async () => {
    await opened({ engine: () => "192.0.2.1:80" }).intend(group);
    const connect = vi.spyOn(Socket.prototype, "connect");
    expect(await opened().openIntent(group)).toBeUndefined();
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  it("costs no time when others have used it up", async () => {
    const file = { pid: process.pid, engine: "127.0.0.1:1", owner: undefined } as JournalFile;
    const check = new ActivityCheck();
    expect(await check.isActive(file)).toBe(false);
    const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(2000);
    expect(await check.isActive(file)).toBe(false);
    clock.mockRestore();
    const connect = vi.spyOn(Socket.prototype, "connect");
    expect(await check.isActive(file)).toBe(true);
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  it("of another project has left nothing for this one, except objects without a name", async () => {
    await kill(
      async (journal) => {
        await journal.intend(group);
        await journal.intend({ ...group, key: "nameless:1" });
      },
      { env: { PULUMI_NODEJS_PROJECT: "other" } },
    );
    expect(await opened().openIntent(group)).toBeUndefined();
    expect(await opened().openIntent({ ...group, key: "nameless:1" })).toBeDefined();
  });

  it("is forgotten after a week, unless its journal is next to the state", async () => {
    await kill((journal) => journal.intend(group));
    later(7 * DAY - 1000);
    expect(await opened().openIntent(group)).toBeDefined();
    later(2000);
    expect(await beside().openIntent(group)).toBeDefined();
    expect(await opened().openIntent(group)).toBeUndefined();
  });

  it("is succeeded by the run that creates the object again", async () => {
    await kill((journal) => journal.intend(group));
    const next = opened();
    await next.intend(group);
    expect(store.lines().filter(({ closed }) => closed !== undefined)).toHaveLength(1);
    store.kill();
    expect(await opened().openIntent(group)).toBeDefined();
  });

  it("accounts for the objects that it made or adopted, as does the state", async () => {
    await kill(async (journal) => {
      await (await journal.intend(group)).made("acme/9");
      await journal.adopt({ ...group, key: "Ops" }, "acme/8");
      await journal.intend({ ...group, key: "Dev" });
    });
    const journal = opened();
    const of = (id: string) => journal.accountsFor({ ...group, id });
    expect(await Promise.all(["acme/9", "acme/8", "acme/7"].map(of))).toEqual([true, true, false]);
    expect(await journal.accountsFor({ ...group, type: "Variable", id: "acme/9" })).toBe(false);
    journal.known({ ...group, id: "acme/7" });
    expect(await of("acme/7")).toBe(true);
    const own = opened();
    await (await own.intend({ ...group, key: "New" })).made("acme/6");
    expect(await own.accountsFor({ ...group, id: "acme/6" })).toBe(true);
  });

  it("has left nothing that the state has, unless the journal is next to the state", async () => {
    await kill(async (journal) => (await journal.intend(group)).made("acme/9"));
    const careful = beside();
    await careful.openIntent(group);
    careful.known({ ...group, id: "acme/9" });
    expect(await careful.openIntent(group)).toBeDefined();
    const next = opened();
    next.known({ ...group, id: "acme/9" });
    expect(await next.openIntent(group)).toBeUndefined();
    expect(await opened().openIntent(group)).toBeUndefined();
  });

  it("may have left something in another place", async () => {
    await kill((journal) => journal.intend(group));
    const elsewhere = new RunJournal(new MemoryStore("elsewhere"), {
      env: {},
      others: () => Promise.resolve([store]),
    });
    expect(await elsewhere.openIntent(group)).toBeDefined();
    expect(await elsewhere.isEmpty()).toBe(true);
    expect(await opened().isEmpty()).toBe(false);
  });

  it("may be looked for again", async () => {
    const journal = opened();
    expect(await journal.openIntent(group)).toBeUndefined();
    await kill((killed) => killed.intend(group));
    expect(await journal.openIntent(group)).toBeUndefined();
    journal.forget();
    expect(await journal.openIntent(group)).toBeDefined();
  });
});
