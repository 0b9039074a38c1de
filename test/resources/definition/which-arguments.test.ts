/**
 * Tests which arguments identify an object, for every type: what becomes part of an address, of an id or of a name in messages is one,
 * so that it can never be a secret.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { definitions, getDefinition } from "../../../provider/index.js";
import { getDisplayName } from "../../../resources/definition/display-name.js";
import { listIdentifyingArgs } from "../../../resources/definition/which-arguments.js";
import { Engine } from "../../provider/engine.js";
import { exampleSeed, withPrerequisites } from "../../provider/prerequisites.js";

type Props = Record<string, unknown>;

const cases = definitions.flatMap((definition) =>
  Object.entries(definition.variants?.of ?? { "": undefined }).map(([kind, variant]) => ({
    title: `${definition.type} ${kind}`.trim(),
    definition,
    create: { ...definition.examples.create, ...variant?.examples.create },
    update: { ...definition.examples.update, ...variant?.examples.update },
  })),
);

let emulator: Emulator;
let engine: Engine;

beforeAll(async () => {
  emulator = await startEmulator({ seed: exampleSeed, actionSeconds: 0 });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());

/** Returns the texts and numbers of an argument that could be recognized in an address. */
function valuesIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesIn);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

describe("an argument", () => {
  it.each(cases)(
    "that identifies a $title is part of its addresses, and no other is",
    async ({ definition, ...example }) => {
      const { type } = definition;
      const args = await withPrerequisites(engine, type, example.create);
      emulator.journal.clear();
      let state = await engine.create(type, args);
      state = (await engine.refresh(state)) ?? state;
      if (Object.keys(example.update).length > 0)
        state = await engine.up(state, {
          ...args,
          ...(await withPrerequisites(engine, type, example.update)),
        });
      await engine.delete(state);
      const parts = emulator.journal.requests.flatMap(({ path, query }) => [
        ...path.split("/").map(decodeURIComponent),
        ...new URLSearchParams(query).values(),
      ]);
      const other = Object.keys(args).filter((name) => !listIdentifyingArgs(definition).has(name));
      expect(other.filter((name) => valuesIn(args[name]).some((value) => parts.includes(value)))).toEqual([]);
      expect(parts.length).toBeGreaterThan(0);
    },
  );

  it.each(cases)("that is printed as the name of a $title identifies it", ({ definition, create }) => {
    const marked = Object.keys({ ...create, ...definition.args.shape }).map((name) => [name, `<${name}>`]);
    const printed = getDisplayName(definition, Object.fromEntries(marked) as Props).matchAll(/<(\w+)>/g);
    for (const [, name = ""] of printed) expect(listIdentifyingArgs(definition)).toContain(name);
  });

  it("that refers to another object, or chooses what an object is, identifies it", () => {
    for (const definition of definitions) {
      const { references, variants, naturalKey, clientOnly, document } = definition;
      const names = [...Object.keys(references), ...naturalKey, ...clientOnly, ...(variants?.modes ?? [])];
      expect([...listIdentifyingArgs(definition)]).toEqual(expect.arrayContaining(names));
      if (document) expect(listIdentifyingArgs(definition)).toContain(document.keyedBy);
    }
    expect(listIdentifyingArgs(getDefinition("Pipeline"))).toContain("refName");
    expect(listIdentifyingArgs(getDefinition("Variable"))).not.toContain("value");
  });
});
