/** Tests that both adapters read an object of every type with any part of its state: completely, or they say what is missing. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { type Definition, definitions, getDefinition } from "../../../provider/index.js";
import { getArgsSchema } from "../../../resources/definition/definition.js";
import { Engine } from "../engine.js";
import type { PluginClient } from "../plugin-client.js";
import { exampleSeed, withPrerequisites } from "../prerequisites.js";
import { engines, noReferences, serveProvider, textOf } from "../served-provider.js";

type Props = Record<string, unknown>;

const cases = definitions.map(({ type, examples, variants }) => {
  const variant = Object.values(variants?.of ?? {})[0];
  return { type, example: { ...examples.create, ...variant?.examples.create } };
});

describe.each(engines)("the %s adapter", (engine) => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: exampleSeed, actionSeconds: 0 });
  });
  afterAll(() => emulator.close());

  it.each(cases)("reads a part of the state of $type", async ({ type, example }) => {
    const maker = new Engine(emulator.baseUrl, emulator.token, emulator.workspace, engine);
    const { id, outs } = await maker.create(type, await withPrerequisites(maker, type, example));
    const { client } = await serveProvider(engine, emulator.baseUrl, emulator.token, noReferences, {});
    const text = textOf(engine, type);
    const whole = await client.read(type, id, { ...outs, ...text });
    const names = Object.keys(outs).filter((name) => !name.startsWith("__"));
    const needed = names.filter((name) => isNeeded(getDefinition(type), outs, name));
    const name = fc.constantFrom(...names);
    const kept = fc.oneof(
      fc.subarray(names),
      name.map((one) => [one]),
      name.map((one) => names.filter((other) => other !== one)),
    );
    const parts = kept.map((some) => pick(outs, some));
    const property = fc.asyncProperty(parts, async (part) => {
      const problem = judge(needed, whole, await read(client, type, id, { ...part, ...text }));
      expect(problem).toBe("");
    });
    await fc.assert(property, { numRuns: 12, examples: [[{}]] });
  });
});

/** Whether every state of the type has the property: states of earlier releases lack outputs. */
function isNeeded(definition: Definition, outs: Props, name: string): boolean {
  const { mayBeHidden, references, outputs, id } = definition;
  // The example of an order contains an action of another pipeline.
  if (mayBeHidden.includes(name) || references[name]?.list === true) return false;
  if (name in outputs) return id.includes(name);
  const shape = getArgsSchema(definition, outs).shape as Readonly<Record<string, z.ZodType>>;
  return shape[name]?.safeParse(undefined).success === false;
}

const pick = (props: Props, names: readonly string[]): Props =>
  Object.fromEntries(names.map((name) => [name, props[name]]));

type Read = Awaited<ReturnType<PluginClient["read"]>>;

const read = (client: PluginClient, type: string, id: string, props: Props): Promise<Read | Error> =>
  client.read(type, id, props).catch((error: unknown) => error as Error);

/** What is wrong with the response, as text. */
function judge(needed: readonly string[], whole: Read, response: Read | Error): string {
  if (response instanceof Error) {
    const isClear =
      response.message.length > 20 && !/undefined|NaN|""|\[object|at .*\.js:/.test(response.message);
    return isClear ? "" : `an unclear error: ${response.message}`;
  }
  if (response.id !== whole.id) return `another object: ${response.id}`;
  const wrong = needed.filter((name) => !isDeepStrictEqual(response.props[name], whole.props[name]));
  return wrong.length === 0
    ? ""
    : `not whole: ${wrong.map((name) => `${name} ${JSON.stringify(response.props[name])}`).join(", ")}`;
}
