/** Tests that a run of plain Pulumi adopts nothing that its own state contains, although no refresh has named it. */
import { expect, it } from "vitest";
import { EngineState } from "../../../provider/connection/engine-state.js";
import { Session } from "../../../provider/connection/session.js";
import { providerIn } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();

const stateOf = (...resources: readonly object[]) =>
  JSON.stringify({ version: 3, checkpoint: { latest: { resources } } });

const TYPES = [
  "workspace-automation:index:Group",
  "pulumi-nodejs:dynamic/workspace-automation:Group",
] as const;

it.each(TYPES)(
  "refuses to adopt what the state contains as %s, until the same run has deleted it",
  async (type) => {
    const before = await fresh.engine.create("Group", { name: "QA" });
    const { baseUrl, token } = fresh.emulator;
    const text = stateOf({ type: "pulumi:pulumi:Stack" }, { type, id: before.id, outputs: before.outs });
    const session = new Session(
      { baseUrl, token, workspace: "acme", allowInsecure: false },
      { readState: () => Promise.resolve(text) },
    );
    const provider = providerIn(session, "Group");
    const create = () => provider.create({ name: "QA", adopt: true, workspace: "acme" });
    fresh.emulator.journal.clear();
    await expect(create()).rejects.toThrow(/is in the state of this stack already.*"pulumi state untaint"/s);
    expect(fresh.emulator.journal.writes()).toEqual([]);
    await provider.delete(before.id, before.outs);
    expect((await create()).id).not.toBe(before.id);
  },
);

it("adopts what the state does not contain, what it only reads, and anything where it cannot be read", async () => {
  const existing = await fresh.engine.create("Group", { name: "QA" });
  const { baseUrl, token } = fresh.emulator;
  const group = { type: TYPES[0], id: existing.id, outputs: {} };
  for (const text of [
    stateOf(),
    stateOf({ ...group, external: true }, { ...group, type: "workspace-automation:index:Project" }),
    stateOf({ ...group, id: "acme/999" }),
    "{}",
    "no JSON",
    undefined,
  ]) {
    const session = new Session(
      { baseUrl, token, workspace: "acme", allowInsecure: false },
      { readState: () => Promise.resolve(text) },
    );
    const created = await providerIn(session, "Group").create({ name: "QA", adopt: true, workspace: "acme" });
    expect(created.id, text).toBe(existing.id);
  }
});

it("reads the state once", async () => {
  let reads = 0;
  const state = new EngineState(() => Promise.resolve(stateOf({ type: TYPES[0], id: String((reads += 1)) })));
  expect([await state.contains("Group", "1"), await state.contains("Group", "2")]).toEqual([true, false]);
  expect([reads, state.mayBeReadable, new EngineState().mayBeReadable]).toEqual([1, true, false]);
  expect(await new EngineState().list()).toBeUndefined();
});
