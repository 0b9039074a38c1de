/**
 * Checks for every text argument of every type that an empty or blank value is either refused before any
 * request or accepted by the service.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { type Definition, definitions, getArgsSchema, validateArgs } from "../../provider/index.js";
import { Engine } from "./engine.js";
import { withPrerequisites } from "./prerequisites.js";

type Props = Record<string, unknown>;

interface Case {
  readonly title: string;
  readonly definition: Definition;
  readonly base: Props;
  readonly changes: readonly Props[];
}

const texts = ["", " \n"];

const cases: Case[] = definitions
  .filter(({ ephemeral }) => !ephemeral)
  .flatMap((definition) => {
    const variants = Object.entries(definition.variants?.of ?? { "": undefined });
    return variants.map(([kind, variant]) => {
      const base = { ...definition.examples.create, ...variant?.examples.create };
      const shape = getArgsSchema(definition, base).shape as Record<string, z.ZodType>;
      const changes = Object.keys(shape)
        .filter((name) => !(name in definition.references))
        .flatMap((name) => texts.map((text) => ({ [name]: text })))
        .filter((change) => validateArgs(definition, { ...base, ...change }).length === 0);
      return { title: `${definition.type} ${kind}`.trim(), definition, base, changes };
    });
  })
  .filter(({ changes }) => changes.length > 0);

describe.each(cases)("$title", ({ definition, base, changes }) => {
  let emulator: Emulator;
  let engine: Engine;

  beforeAll(async () => {
    emulator = await startEmulator();
    engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  });
  afterAll(() => emulator.close());

  it.each(changes.map((change) => [JSON.stringify(change), change] as const))(
    "can be created with %s",
    async (_title, change) => {
      const args = await withPrerequisites(engine, definition.type, { ...base, ...change, adopt: true });
      await expect(engine.create(definition.type, args)).resolves.toBeDefined();
    },
  );
});

it("blank text in a required argument is reported before any request", () => {
  const [group] = definitions.filter(({ type }) => type === "Group");
  expect(validateArgs(group!, { name: " ", description: "\n" })).toEqual([
    { path: ["name"], code: "wrong-format", message: "must not consist of spaces only" },
    { path: ["description"], code: "wrong-format", message: "must not consist of spaces only" },
  ]);
});
