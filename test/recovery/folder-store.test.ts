/** Tests a journal in a folder. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { getJournalFolder, JOURNAL_VARIABLE, noJournal } from "../../recovery/journal.js";
import { FolderStore } from "../../recovery/stores.js";
import { temporaryFolder } from "../cli/support.js";

const RUN = "run.jsonl";
let folder: string;
let store: FolderStore;
beforeEach(() => {
  folder = join(temporaryFolder(), "journal/shop");
  store = new FolderStore(folder);
});

it("contains the lines of each run", async () => {
  expect(store.read().size).toBe(0);
  await store.append(RUN, "one");
  await store.append(RUN, "two");
  await store.append("other.jsonl", "three");
  writeFileSync(join(folder, "notes.txt"), "no journal");
  expect(Object.fromEntries(store.read())).toEqual({ [RUN]: "one\ntwo\n", "other.jsonl": "three\n" });
});

it("is only for its own user", async () => {
  await store.append(RUN, "one");
  expect([folder, join(folder, RUN)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

it("begins a new line after a write that failed", async () => {
  await store.append(RUN, "one");
  const path = join(folder, RUN);
  const before = readFileSync(path, "utf8");
  rmSync(path);
  mkdirSync(path);
  await expect(store.append(RUN, "lost")).rejects.toThrow("EISDIR");
  rmSync(path, { recursive: true });
  writeFileSync(path, `${before}half`);
  await store.append(RUN, "two");
  await store.append(RUN, "three");
  expect(store.read().get(RUN)).toBe("one\nhalf\ntwo\nthree\n");
});

it("is removed with its run, if it exists", async () => {
  await store.append(RUN, "one");
  await store.remove(RUN);
  await store.remove(RUN);
  expect(store.read().size).toBe(0);
});

it("has nothing of a run that removes its file while others read", () => {
  mkdirSync(join(folder, RUN), { recursive: true });
  expect(store.read().get(RUN)).toBe("");
});

it("cannot be where a file is", () => {
  mkdirSync(join(folder, ".."), { recursive: true });
  writeFileSync(folder, "");
  expect(() => store.read()).toThrow("ENOTDIR");
});

it("is in the folder that the environment names, else in the user's own", () => {
  expect(getJournalFolder({ [JOURNAL_VARIABLE]: "/elsewhere" })).toBe("/elsewhere");
  const usual = getJournalFolder({});
  expect(usual).toMatch(/workspacectl\W(.*\W)?creations$/);
  expect(getJournalFolder({ [JOURNAL_VARIABLE]: "" })).toBe(usual);
});

it("may be none, which records nothing", async () => {
  const intent = await noJournal.intend({ type: "Group", address: "a", key: "k" });
  await intent.made("acme/1");
  expect(await noJournal.accountsFor({ type: "Group", address: "a", id: "acme/1" })).toBe(false);
  expect(noJournal.adoptsExisting).toBe(false);
});
