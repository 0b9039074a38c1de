/** Tests the journal of a large workspace: no object may cost a look at all the others. */
import { expect, it } from "vitest";
import { Intents, JournaledIntent } from "../../recovery/intents.js";
import { RunJournal } from "../../recovery/run-journal.js";
import { MemoryStore } from "./memory-store.js";

const MANY = 2_000;
const address = "https://host/workspaces/acme";
const numbers = Array.from({ length: MANY }, (_, n) => n);
const group = (id: string) => ({ type: "Group", address, id });

it("looks at the intents of one object only, among those of thousands", () => {
  let looks = 0;
  const counted = (intent: JournaledIntent) =>
    new Proxy(intent, {
      get(target, name) {
        looks += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
  const intents = new Intents();
  for (const n of numbers) {
    const subject = { type: "Group", address, key: `key-${n}` };
    intents.add(counted(new JournaledIntent({ subject, at: 0, id: `acme/${n}` }, () => Promise.resolve())));
  }
  const looksAtAdding = looks;
  for (const n of numbers) {
    expect(intents.of(group(`other/${n}`))).toEqual([]);
    expect(intents.about({ type: "Group", address, key: `other-${n}` })).toEqual([]);
  }
  expect(looks - looksAtAdding, "looks at intents of other objects").toBe(0);

  for (const n of numbers) intents.of(group(`acme/${n}`));
  expect(looks - looksAtAdding, "one look at the intent of each object").toBe(MANY);
});

it("writes nothing for the objects of others, and one line for each that it finds", async () => {
  const lines = numbers.flatMap((n) => [
    { type: "Group", address, key: `key-${n}`, at: Date.now() },
    { made: `key-${n}`, id: `acme/${n}` },
  ]);
  const store = new MemoryStore();
  const text = [{ pid: 99_999_999 }, ...lines].map((line) => JSON.stringify(line)).join("\n");
  store.files.set("earlier.jsonl", `${text}\n`);
  const written = () => (store.files.get("earlier.jsonl") ?? "").slice(text.length + 1);
  const journal = new RunJournal(store, { env: {} });
  expect(await journal.accountsFor(group("acme/1"))).toBe(true);
  expect(await journal.accountsFor(group("other/2"))).toBe(false);

  for (const n of numbers) journal.known(group(`other/${n}`));
  expect(written()).toBe("");
  expect(await journal.accountsFor(group("other/2"))).toBe(true);
  expect(await journal.accountsFor(group("elsewhere/2"))).toBe(false);

  for (const n of numbers) journal.known(group(`acme/${n}`));
  expect(written().trim().split("\n")).toEqual(numbers.map((n) => JSON.stringify({ closed: `key-${n}` })));
});
