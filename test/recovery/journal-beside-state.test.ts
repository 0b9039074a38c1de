/** Tests journals next to the state, from which an interrupted run is completed. */
import { beforeEach, describe, expect, it } from "vitest";
import { findOwner } from "../../recovery/process-owner.js";
import { type JournalOptions, RunJournal } from "../../recovery/run-journal.js";
import { change, creation, group, MemoryStore, stack, underWay } from "./memory-store.js";

let store: MemoryStore;
beforeEach(() => {
  store = new MemoryStore();
});

const opened = (options: JournalOptions = {}) => new RunJournal(store, { env: {}, ...options });
const beside = (options: JournalOptions = {}) => opened({ besideState: true, ...options });

describe("what a killed run began in a stack", () => {
  it("is told by its URNs", async () => {
    const journal = beside();
    await journal.intend(group, undefined, underWay);
    await journal.change(change);
    await journal.change({ ...change, urn: "urn:pulumi:other::app::Group::QA" });
    store.kill();
    const { creations, changes } = await beside().interrupted(stack);
    expect(creations).toMatchObject([{ urn: creation.urn, type: "Group", inputs: creation.inputs }]);
    expect(changes).toMatchObject([change]);
    expect((await beside().interrupted("urn:pulumi:third::")).creations).toEqual([]);
  });

  it("is nothing while it runs, after it has ended, and once the engine had the result", async () => {
    const began = async () => (await beside().interrupted(stack)).creations.length;
    const journal = beside();
    const intent = await journal.intend(group, undefined, underWay);
    expect(await began()).toBe(0);
    store.kill();
    expect(await began()).toBe(1);
    const text = new Map(store.files);
    journal.end();
    store.kill();
    expect(await began()).toBe(0);
    for (const [file, before] of text) store.files.set(file, before);
    expect(await began()).toBe(1);
    intent.handOver();
    journal.end();
    for (const [file, after] of store.files) store.files.set(file, after.replace('{"over":true}\n', ""));
    store.kill();
    expect(await began()).toBe(0);
  });

  it("has its options and all arguments next to the state, and else only those that find it", async () => {
    const options = {
      parent: "",
      dependencies: [],
      propertyDependencies: {},
      protect: true,
      retainOnDelete: false,
    };
    const careful = beside();
    careful.register(creation.urn, options);
    await careful.intend(group, undefined, underWay);
    expect(store.lines()[1]?.["creation"]).toEqual({ ...creation, options });
    store.files.clear();
    await opened().intend(group, undefined, underWay);
    expect(store.lines()[1]?.["creation"]).toEqual({ ...creation, inputs: { name: "QA" } });
    store.files.clear();
    // An update needs no journal where nothing reads it.
    await opened().change(change);
    expect(store.files.size).toBe(0);
  });
});

describe("a journal next to the state", () => {
  it("says what the state must contain", async () => {
    const journal = beside();
    const made = await journal.intend(group, undefined, underWay);
    await made.made("acme/9");
    const deleted = await journal.change({ op: "delete", urn: "old", id: "acme/1" });
    const updated = await journal.change(change);
    expect(journal.acknowledged().size).toBe(0);
    for (const intent of [made, deleted, updated]) intent.handOver();
    const lost = await journal.intend({ ...group, key: "Ops" }, undefined, underWay);
    lost.handOver();
    expect(Object.fromEntries(journal.acknowledged())).toEqual({
      [`${creation.urn} acme/9`]: true,
      "old acme/1": false,
    });
    made.close();
    expect(journal.acknowledged().size).toBe(1);
  });

  it("is removed when the state has all results", async () => {
    const journal = beside();
    await journal.settle();
    (await journal.intend(group)).handOver();
    await journal.settle();
    expect(store.files.size).toBe(0);
  });

  it("stays with what was not acknowledged", async () => {
    const journal = beside();
    const [one, other] = [await journal.intend(group), await journal.intend({ ...group, key: "Ops" })];
    one.handOver();
    await journal.settle();
    expect(store.files.size).toBe(1);
    store.kill();
    const next = beside();
    expect(await next.openIntent(group)).toBeUndefined();
    expect(await next.openIntent({ ...group, key: "Ops" })).toBeDefined();
    other.close();
  });

  it("settles what earlier runs have left, once this run has dealt with it", async () => {
    await beside().intend(group);
    store.kill();
    const next = beside();
    const left = await next.openIntent(group);
    await next.settle();
    expect(store.files.size).toBe(1);
    left?.handOver();
    await next.settle();
    expect(store.files.size).toBe(0);
    expect(await next.isEmpty()).toBe(true);
  });

  it("removes what is left of a file that its run removed while another one closed its intents", async () => {
    const running = beside();
    const intent = await running.intend(group);
    expect(await beside().hasDone()).toBe(false);
    intent.close();
    await expect.poll(() => store.lines().length).toBe(3);
    const [[file = "", text = ""] = []] = [...store.files];
    store.files.set(file, text.split("\n").slice(2).join("\n"));
    store.kill();
    const next = beside();
    expect(await next.hasDone()).toBe(true);
    await next.removeDone();
    expect([store.files.size, await next.hasDone()]).toEqual([0, false]);
  });

  it("says which process of this machine still writes to it", async () => {
    await beside().intend(group);
    expect(await beside().findRunningOwner()).toEqual(findOwner(process.pid));
    store.kill();
    expect(await beside().findRunningOwner()).toBeUndefined();
  });

  it("lets nothing be sent that it cannot store, and nothing begin that it cannot read", async () => {
    const journal = beside();
    store.error = new Error("disk full");
    await expect(journal.intend(group)).rejects.toThrow(
      "the journal in memory cannot be written (disk full), so no more is sent: fix this, and run the command again",
    );
    await expect(beside().openIntent(group)).rejects.toThrow(
      "the journal in memory cannot be read (disk full)",
    );
  });
});

describe("a journal elsewhere", () => {
  it("warns once that it cannot be read or written", async () => {
    const warnings: string[] = [];
    store.error = Object.assign(new Error("denied"), { code: "EACCES" });
    const journal = opened({ print: (line) => warnings.push(line) });
    await journal.intend(group);
    await journal.intend({ ...group, key: "Ops" });
    expect(warnings).toEqual([
      expect.stringContaining("warning: cannot write the journal in memory (EACCES)"),
    ]);
    const others: string[] = [];
    await opened({ print: (line) => others.push(line) }).openIntent(group);
    expect(others).toEqual([expect.stringContaining("warning: cannot read the journal in memory (EACCES)")]);
  });

  it("of other runs does not keep a journal next to the state from being read", async () => {
    const other = new MemoryStore("other");
    other.error = new Error("gone");
    expect(await beside({ others: () => Promise.resolve([other]) }).openIntent(group)).toBeUndefined();
  });

  it("adopts what exists only where the user says so", () => {
    const adopts = (value: string) =>
      opened({ env: { WORKSPACE_AUTOMATION_ADOPT_AFTER_CRASH: value } }).adoptsExisting;
    expect([adopts("1"), adopts("0"), opened().adoptsExisting]).toEqual([true, false, false]);
  });
});
