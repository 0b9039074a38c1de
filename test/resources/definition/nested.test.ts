/**
 * Tests additions inside nested values from outside, against the emulator and against a service that fills in
 * defaults.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { isSameNested } from "../../../diff/values.js";
import { definitions, getArgsSchema } from "../../../provider/index.js";
import { type NestedForm, reduceShown } from "../../../resources/definition/nested.js";
import { changedBetween, type State } from "../../provider/engine.js";
import { freshForEach } from "../../provider/fresh.js";

const fresh = freshForEach();

async function anAction(args: Record<string, unknown>) {
  await fresh.engine.create("Project", { name: "web" });
  const place = { project: "web", name: "deploy", triggerMode: "MANUAL", refName: "main" };
  const pipeline = Number((await fresh.engine.create("Pipeline", place)).outs["pipelineId"]);
  const whole = { project: "web", pipeline, name: "Step", triggerTime: "ON_EVERY_EXECUTION", ...args };
  return { whole, pipeline, state: await fresh.engine.create("Action", whole) };
}

const agent = {
  type: "AGENT",
  containerImageName: "agent",
  containerImageTag: "1",
  executeCommands: ["agent run"],
};

const cases: [string, string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "a second MCP server",
    "mcpServers",
    { ...agent, mcpServers: { docs: { url: "https://docs.example.com" } } },
    { mcp_servers: { docs: { url: "https://docs.example.com" }, evil: {} } },
  ],
  [
    "a setting of a server",
    "mcpServers",
    { ...agent, mcpServers: { docs: { url: "https://docs.example.com" } } },
    { mcp_servers: { docs: { url: "https://docs.example.com", enabled: false } } },
  ],
  [
    "a setting of an attached service",
    "services",
    { ...agent, services: [{ type: "POSTGRES" }] },
    { services: [{ type: "POSTGRES", version: "9" }] },
  ],
  [
    "a second attached service",
    "services",
    { ...agent, services: [{ type: "POSTGRES" }] },
    { services: [{ type: "POSTGRES" }, { type: "REDIS" }] },
  ],
  [
    "a key below a passed-through field",
    "fields",
    { type: "CUSTOM_SCAN", fields: { target: { path: "src" } } },
    { target: { path: "src", depth: 3 } },
  ],
  [
    "a field that is gone",
    "fields",
    { type: "CUSTOM_SCAN", fields: { target: "src", depth: 3 } },
    { depth: null },
  ],
];

describe("an action", () => {
  it.each(cases)("shows %s and restores it", async (_what, arg, args, edit) => {
    const { whole, pipeline, state } = await anAction(args);
    const settled = await fresh.engine.refresh(state);
    expect(settled && changedBetween(state, settled)).toEqual([]);
    await fresh.api.actions.update("acme", "web", pipeline, Number(state.outs["actionId"]), edit);
    const seen = await fresh.engine.refresh(state);
    expect(seen && changedBetween(state, seen)).toEqual([arg]);
    expect((await fresh.engine.diff(seen ?? state, whole)).changes).toBe(true);
    const restored = await fresh.engine.up(seen ?? state, whole);
    const again = await fresh.engine.refresh(restored);
    expect(again && changedBetween(restored, again)).toEqual([]);
    expect((await fresh.engine.diff(again ?? restored, whole)).changes).toBe(false);
  });

  it("whose state was never compared with a response shows no change that may be a default of the service", async () => {
    const { whole, pipeline, state } = await anAction({ ...agent, services: [{ type: "POSTGRES" }] });
    const { observed: _observed, ...outs } = state.outs;
    const before: State = { ...state, outs };
    await fresh.api.actions.update("acme", "web", pipeline, Number(outs["actionId"]), {
      services: [{ type: "POSTGRES", version: "17" }],
    });
    const seen = (await fresh.engine.refresh(before)) ?? before;
    expect(changedBetween(before, seen)).toEqual([]);
    expect((await fresh.engine.diff(seen, whole)).changes).toBe(false);
  });
});

describe("a PUSH action with a password", () => {
  const args = { type: "PUSH", pushUrl: "https://git.example.com/web.git", login: "bot", password: "p" };

  it("is replaced after its authentication was changed to a key by hand", async () => {
    const { whole, pipeline, state } = await anAction(args);
    await fresh.api.actions.update("acme", "web", pipeline, Number(state.outs["actionId"]), {
      git_auth_mode: "ENV_KEY",
      env_key: "STOLEN",
    });
    const seen = await fresh.engine.refresh(state);
    expect(seen && changedBetween(state, seen)).toEqual(["gitAuthMode"]);
    expect((await fresh.engine.diff(seen ?? state, whole)).replaces).toContain("type");
    const restored = await fresh.engine.up(seen ?? state, whole);
    const again = await fresh.engine.refresh(restored);
    expect(again && changedBetween(restored, again)).toEqual([]);
  });

  it("shows that its login was removed", async () => {
    const { pipeline, state } = await anAction(args);
    await fresh.api.actions.update("acme", "web", pipeline, Number(state.outs["actionId"]), { login: null });
    const seen = await fresh.engine.refresh(state);
    expect(seen && changedBetween(state, seen)).toEqual(["login"]);
  });
});

it("every value of any form declares how its parts are compared", () => {
  for (const definition of definitions) {
    for (const variant of Object.values(definition.variants?.of ?? { "": undefined })) {
      const args = { ...definition.examples.create, ...variant?.examples.create };
      const shape = getArgsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
      for (const [name, schema] of Object.entries(shape)) {
        const open =
          schema.safeParse({ any: { deep: 1 } }).success || schema.safeParse([{ any: { deep: 1 } }]).success;
        if (open && !definition.writeOnly(args).includes(name))
          expect(definition.nested).toHaveProperty(name);
      }
    }
  }
});

describe("values of any form", () => {
  const scalar = fc.oneof(fc.boolean(), fc.integer(), fc.string({ minLength: 1 }));
  const { tree } = fc.letrec<{ tree: unknown; map: Record<string, unknown> }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      scalar,
      tie("map"),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    ),
    map: fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), tie("tree"), { minKeys: 1, maxKeys: 3 }),
  }));
  const map = fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), tree, { minKeys: 1, maxKeys: 4 });
  const form = fc.constantFrom<NestedForm>("whole", "view", "named", "fields");
  const known = (shown: unknown) => ({ known: true, form: shown });

  it("equal the declared value despite additions by the service", () => {
    fc.assert(
      fc.property(map, map, fc.constantFrom<NestedForm>("view", "fields"), (declared, added, how) => {
        const shown = { ...added, ...declared };
        const { value, notCompared } = reduceShown(how, declared, shown, known(shown), true);
        expect(isSameNested(value, declared)).toBe(true);
        expect(notCompared).toEqual([]);
      }),
    );
  });

  it("differ as soon as a part is added, removed or changed", () => {
    fc.assert(
      fc.property(
        map,
        form,
        fc.string({ minLength: 5, maxLength: 6 }),
        scalar,
        (declared, how, key, value) => {
          const asDeclared = { known: true, form: null };
          const added = reduceShown(how, declared, { ...declared, [key]: value }, asDeclared, true);
          expect(isSameNested(added.value, declared)).toBe(false);
          const [first = ""] = Object.keys(declared);
          const { [first]: gone, ...rest } = declared;
          expect(isSameNested(reduceShown(how, declared, rest, asDeclared, true).value, declared)).toBe(
            false,
          );
          const changed = { ...declared, [first]: [gone, "changed"] };
          expect(isSameNested(reduceShown(how, declared, changed, asDeclared, true).value, declared)).toBe(
            false,
          );
        },
      ),
    );
  });

  it("are equal in any order of keys, and with additional null keys", () => {
    fc.assert(
      fc.property(map, form, (declared, how) => {
        const shown = { nothing: null, ...Object.fromEntries(Object.entries(declared).reverse()) };
        expect(isSameNested(reduceShown(how, declared, shown, known(null), true).value, declared)).toBe(true);
      }),
    );
  });
});
