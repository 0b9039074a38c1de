/**
 * Tests states of an earlier release, which neither compared responses nor managed defaults. They show no
 * change, neither in a refresh nor in the plan after it.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { changedBetween, Engine, type State } from "./engine.js";
import { exampleSeed, withPrerequisites } from "./prerequisites.js";

type Props = Record<string, unknown>;

const file = resolve(import.meta.dirname, "../fixtures/states-before-answers.json");
const recorded = JSON.parse(readFileSync(file, "utf8")) as { title: string; outs: Props }[];

let emulator: Emulator;
let engine: Engine;

beforeAll(async () => {
  emulator = await startEmulator({ seed: exampleSeed, actionSeconds: 0 });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());

it.each(recorded)("$title", async ({ title, outs }) => {
  const [type = "", ...rest] = title.split(" ");
  const definition = definitions.find((one) => one.type === type);
  if (definition === undefined) throw new Error(`there is no ${type}`);
  const variant = definition.variants?.of[rest.join(" ")];
  const example: Props = {
    ...definition.examples.create,
    ...variant?.examples.create,
    ...variant?.examples.update,
    ...(rest[0] === "BUILD" ? { services: [{ type: "POSTGRES" }] } : {}),
  };
  const args = await withPrerequisites(engine, type, example);
  const made = await engine.create(type, args);
  // Ids and addresses are those of this emulator; everything else is from the earlier release.
  const own = (name: string) =>
    name in example && !(name in definition.references) && !String(example[name]).startsWith("@");
  const earlier = Object.entries(outs).map(([name, value]) => [name, own(name) ? value : made.outs[name]]);
  const state: State = { ...made, outs: Object.fromEntries(earlier) as Props };

  const seen = await engine.refresh(state);
  // Outputs that a later release adds are no change of declared values.
  const isNew = (name: string) => !(name in state.outs) && name in definition.outputs;
  expect(seen && changedBetween(state, seen).filter((name) => !isNew(name))).toEqual([]);
  const { changes, replaces } = await engine.diff(seen ?? state, args);
  expect({ changes, replaces }).toEqual({ changes: false, replaces: [] });
  if (definition.naturalKey.length > 0) await engine.delete(made);
});
