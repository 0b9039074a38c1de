/** Tests the meaning of omitted arguments: no value, or a default that is compared like a declared value. */
import { describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { diffResource } from "../../../provider/crud/diff.js";
import { type Definition, definitions, getArgsSchema, getDefinition } from "../../../provider/index.js";
import { listApiKeys } from "../../../resources/definition/api-names.js";
import { getDefault, listRemoteDefaults } from "../../../resources/definition/server-defaults.js";
import { changedBetween, type State } from "../../provider/engine.js";
import { freshForEach } from "../../provider/fresh.js";

const fresh = freshForEach();

const kinds = definitions.flatMap((definition) =>
  Object.entries(definition.variants?.of ?? { "": undefined }).map(([kind, variant]) => ({
    title: `${definition.type} ${kind}`.trim(),
    definition,
    args: { ...definition.examples.create, ...variant?.examples.create },
  })),
);

function shapeOf(definition: Definition, args: Record<string, unknown>) {
  const shape: Readonly<Record<string, unknown>> = getArgsSchema(definition, args).shape;
  return Object.entries(shape) as [string, z.ZodType][];
}

describe.each(kinds)("the defaults of $title", ({ definition, args }) => {
  it("are compared when the service returns the argument", () => {
    const compared = listRemoteDefaults(definition, args);
    for (const [name, schema] of shapeOf(definition, args)) {
      const says = Object.hasOwn(schema.meta() ?? {}, "default");
      const remote =
        listApiKeys(definition, name, undefined).length > 0 && !definition.clientOnly.includes(name);
      if (says && remote) expect(Object.keys(compared)).toContain(name);
      // Without a declared default, only a client-only argument may mention one in its description, since all
      // others are compared.
      if (/\bDefault:/.test(schema.description ?? "") && !says) {
        const ours = !remote || definition.clientOnly.includes(name) || name === "workspace";
        expect(ours, `${name} is shown by the service, and its text promises a default`).toBe(true);
      }
    }
  });

  it("are the only values equal to an omitted argument", () => {
    for (const [name] of shapeOf(definition, args)) {
      if (definition.clientOnly.includes(name) || name === "workspace" || name in args) continue;
      const usual = getDefault(definition, args, name);
      for (const value of [false, "", null]) {
        const { changed } = diffResource(definition, args, { ...args, [name]: value });
        const expected = !(
          value === usual ||
          (value === null && usual !== undefined) ||
          (value === "" && usual === false)
        );
        expect(changed.includes(name), `${name}: ${JSON.stringify(value)}`).toBe(expected);
      }
    }
  });
});

describe("an empty value for an argument that was omitted", () => {
  it("is applied: the management of a variable's value ends", async () => {
    const args = { key: "API_KEY", value: "first", encrypted: true };
    const variable = await fresh.engine.create("Variable", args);
    const handedOver = { ...args, valueManaged: false };
    expect((await fresh.engine.diff(variable, handedOver)).changes).toBe(true);
    fresh.emulator.journal.clear();
    const state = await fresh.engine.up(variable, handedOver);
    expect(fresh.emulator.journal.writes()).toEqual([]);
    expect((await fresh.engine.diff(state, handedOver)).changes).toBe(false);

    await fresh.api.variables.update("acme", numberOf(state), { key: "API_KEY", value: "the real one" });
    const seen = (await fresh.engine.refresh(state)) ?? state;
    expect((await fresh.engine.diff(seen, handedOver)).changes).toBe(false);
    // The declared value is sent again, although it never changed.
    const back = await fresh.engine.up(seen, args);
    const live = await fresh.api.variables.get("acme", numberOf(state));
    expect(back.outs["observed"]).toEqual({ value: live.value });
    expect(live.value).toBe(
      variable.outs["observed"] && (variable.outs["observed"] as { value: string }).value,
    );
  });

  it("is sent once when it differs from the default", async () => {
    const { pipeline, args } = await scheduled();
    const changed = { ...args, runAlways: false };
    const sent = vi.spyOn(getDefinition("Pipeline"), "update");
    const state = await fresh.engine.up(pipeline, changed);
    expect(sent.mock.lastCall?.[1]).toMatchObject({ run_always: false });
    sent.mockRestore();
    expect((await fresh.engine.diff(state, changed)).changes).toBe(false);
  });

  it("causes no replacement: an empty title does not affect a key", async () => {
    const args = { content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com" };
    const key = await fresh.engine.create("UserKey", args);
    expect((await fresh.engine.diff(key, { ...args, title: "" })).replaces).toEqual([]);
  });

  it("can be removed again with a change of the state alone", async () => {
    const group = await fresh.engine.create("Group", { name: "QA", description: null });
    fresh.emulator.journal.clear();
    const state = await fresh.engine.up(group, { name: "QA" });
    expect(fresh.emulator.journal.writes()).toEqual([]);
    const live = await fresh.api.groups.list("acme").toArray();
    await fresh.api.groups.update("acme", Number(live[0]?.id), { description: "By hand" });
    const seen = await fresh.engine.refresh(state);
    expect(seen && changedBetween(state, seen)).toEqual([]);
  });
});

describe("a default that was changed outside Pulumi", () => {
  it("is drift: a member is made an administrator by hand", async () => {
    const bob = await fresh.engine.create("WorkspaceMember", { email: "bob@example.com" });
    const settled = await fresh.engine.refresh(bob);
    expect(settled && changedBetween(bob, settled)).toEqual([]);
    await fresh.api.members.update("acme", Number(bob.outs["memberId"]), { admin: true });
    const seen = await fresh.engine.refresh(bob);
    expect(seen && changedBetween(bob, seen)).toEqual(["admin"]);
    const restored = await fresh.engine.up(seen ?? bob, { email: "bob@example.com" });
    expect((await fresh.api.members.get("acme", Number(bob.outs["memberId"]))).admin).toBe(false);
    expect(restored.outs).not.toHaveProperty("admin");
  });

  it("is not drift for the owner, who is always an administrator", async () => {
    const [owner] = await fresh.api.members.list("acme").toArray();
    const args = { email: "owner@example.com", member: owner?.id, adopt: true };
    const state = await fresh.engine.create("WorkspaceMember", args);
    expect((await fresh.engine.diff((await fresh.engine.refresh(state)) ?? state, args)).changes).toBe(false);
  });

  it("is restored by its name: a plain variable is encrypted by hand", async () => {
    const args = { key: "REGION", value: "us-east" };
    const variable = await fresh.engine.create("Variable", args);
    await fresh.api.variables.update("acme", numberOf(variable), { ...args, encrypted: true });
    const seen = await fresh.engine.refresh(variable);
    // Nobody can tell whether the value that is masked now is the declared one.
    expect(seen && changedBetween(variable, seen)).toEqual(["encrypted", "observed", "value"]);
    const sent = vi.spyOn(getDefinition("Variable"), "update");
    const restored = await fresh.engine.up(seen ?? variable, args);
    expect(sent.mock.lastCall?.[1]).toEqual({ key: "REGION", value: "us-east", encrypted: false });
    sent.mockRestore();
    expect(await fresh.api.variables.get("acme", numberOf(variable))).toMatchObject({ value: "us-east" });
    const settled = await fresh.engine.refresh(restored);
    expect(settled && changedBetween(restored, settled)).toEqual([]);
  });
});

async function scheduled() {
  await fresh.engine.create("Project", { name: "web" });
  const args = {
    project: "web",
    name: "nightly",
    triggerMode: "SCHEDULED",
    refName: "main",
    startDate: "2030-01-01T00:00:00Z",
    delay: 60,
  };
  return { args, pipeline: await fresh.engine.create("Pipeline", args) };
}

const numberOf = (variable: State) => Number(variable.outs["variableId"]);
