/** Tests the journal of a large workspace: no object may cost a look at all the others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RunJournal } from "../../recovery/run-journal.js";
import { FolderStore } from "../../recovery/stores.js";

const MANY = 20_000;
const address = "https://host/workspaces/acme";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "journal-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds the creation of an object among thousands at once", async () => {
  const lines = Array.from({ length: MANY }, (_, n) => [
    { type: "Group", address, key: `key-${n}`, at: Date.now() },
    { made: `key-${n}`, id: `acme/${n}` },
  ]);
  const text = [{ pid: 99_999_999 }, ...lines.flat()].map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(folder, "earlier.jsonl"), `${text}\n`);
  const journal = new RunJournal(new FolderStore(folder), { env: {} });
  const group = (id: string) => ({ type: "Group", address, id });
  expect(await journal.accountsFor(group("acme/1"))).toBe(true);

  const began = performance.now();
  for (let n = 0; n < MANY; n++) journal.known(group(`other/${n}`));
  // A loop over all of them takes more than ten times as long.
  expect(performance.now() - began).toBeLessThan(1_000);

  expect(await journal.accountsFor(group("acme/2"))).toBe(true);
  expect(await journal.accountsFor(group("other/2"))).toBe(true);
  expect(await journal.accountsFor(group("elsewhere/2"))).toBe(false);
});
