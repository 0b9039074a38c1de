/** The journal of a program: next to the state where another machine finds it there, and else in the user's own folder. */
import { existsSync, readdirSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { openJournal } from "../../recovery/home-journal.js";
import type { JournalStore } from "../../recovery/stores.js";
import { temporaryFolder } from "../e2e/support.js";
import { group, MemoryStore } from "./memory-store.js";

const before = process.listeners("SIGINT");
afterEach(() => {
  for (const one of process.listeners("SIGINT")) if (!before.includes(one)) process.off("SIGINT", one);
});

/** A run on a machine of its own. */
function open(shared: JournalStore | undefined) {
  const home = temporaryFolder();
  const lease = {
    journals: () => Promise.resolve(shared === undefined ? [] : [shared]),
    sharedJournals: () => Promise.resolve(shared),
    end: () => Promise.resolve(),
  };
  const journal = openJournal({ env: { WORKSPACE_AUTOMATION_JOURNAL: home } }, lease);
  return { journal, inHome: () => (existsSync(home) ? readdirSync(home) : []) };
}

describe("the journal of a program", () => {
  it("is found by another machine when the state is in a bucket", async () => {
    const bucket = new MemoryStore("bucket");
    const first = open(bucket);
    await first.journal.intend(group);
    expect([first.inHome(), bucket.files.size]).toEqual([[], 1]);
    bucket.kill();
    const second = open(bucket);
    const intent = await second.journal.openIntent(group);
    expect(intent).toBeDefined();
    await intent?.forget();
    expect(await open(bucket).journal.openIntent(group)).toBeUndefined();
  });

  it("leaves nothing in the bucket at its end", async () => {
    const bucket = new MemoryStore("bucket");
    const { journal } = open(bucket);
    const intent = await journal.intend(group);
    await intent.forget();
    journal.end();
    await expect.poll(() => bucket.files.size).toBe(0);
  });

  it("is in the user's own folder otherwise", async () => {
    const { journal, inHome } = open(undefined);
    await journal.intend(group);
    expect(inHome()).toHaveLength(1);
  });
});
