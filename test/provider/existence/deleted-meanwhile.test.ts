/**
 * Tests deletions between plan and update: the error explains what to do, and a delete has nothing more to
 * do.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { definitions, DELETE_VARIABLE } from "../../../provider/index.js";
import { Engine, type State } from "../engine.js";
import { exampleSeed, withPrerequisites } from "../prerequisites.js";

let emulator: Emulator;
let engine: Engine;

// No state shows here which projects are protected.
beforeAll(() => vi.stubEnv(DELETE_VARIABLE, "*"));
afterAll(() => vi.unstubAllEnvs());
beforeAll(async () => {
  emulator = await startEmulator({ seed: exampleSeed });
  engine = new Engine(emulator.baseUrl, emulator.token, "acme");
});
afterAll(() => emulator.close());

const changeable = definitions
  .filter((one) => one.naturalKey.length > 0 && one.update !== undefined && one.examples.update)
  .map((definition) => {
    const { type, examples, variants } = definition;
    const [variant] = Object.values(variants?.of ?? {});
    const create = { ...examples.create, ...variant?.examples.create };
    return { type, definition, create, change: { ...examples.update, ...variant?.examples.update } };
  });

describe.each(changeable)("$type", ({ type, definition, create, change }) => {
  it("an update explains that the object was deleted meanwhile, and what to do", async () => {
    const args = await withPrerequisites(engine, type, create);
    const state: State = await engine.create(type, args);
    await engine.delete(state);
    const changed = { ...args, ...(await withPrerequisites(engine, type, change)) };
    await expect(engine.up(state, changed)).rejects.toMatchObject({
      code: "deleted",
      message: expect.stringMatching(
        new RegExp(
          `^${definition.noun} .* was deleted in workspace acme after .* run "workspacectl up" again`,
        ),
      ) as string,
      cause: { code: "not-found" },
    });
    await engine.delete(state);
  });
});

const parents = definitions.filter(({ references }) => Object.keys(references).length > 0);

it.each(parents.filter(({ naturalKey }) => naturalKey.length > 0).map(({ type }) => type))(
  "%s: once its parent is deleted, a delete succeeds and a create fails",
  async (type) => {
    const definition = definitions.find((one) => one.type === type)!;
    const [variant] = Object.values(definition.variants?.of ?? {});
    const examples = { ...definition.examples.create, ...variant?.examples.create };
    // The first reference is the parent.
    const placeholder = Object.entries(examples).find(([, value]) => /^@[A-Z]/.test(String(value)));
    if (placeholder === undefined) return;
    const args = await withPrerequisites(engine, type, examples);
    const state = await engine.create(type, args);
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    const { projects } = body as { projects: { name: string }[] };
    const { project: holder = "", group } = args as { project?: string; group?: number };
    if (projects.some(({ name }) => name === holder)) {
      await emulator.edit({ method: "DELETE", path: `/workspaces/acme/projects/${holder}` });
    } else if (group !== undefined) {
      await emulator.edit({ method: "DELETE", path: `/workspaces/acme/groups/${group}` });
    } else return;
    await engine.delete(state);
    await expect(engine.create(type, args)).rejects.toMatchObject({
      message: expect.stringMatching(/was deleted after this plan was created, run/) as string,
      cause: { code: "not-found" },
    });
  },
);

it("a creation that the service refuses for another reason is not explained by a deletion", async () => {
  emulator.faults.add({ kind: "status", method: "POST", path: /groups$/, status: 422, message: "No." });
  await expect(engine.create("Group", { name: "Ops" })).rejects.toThrow(/^(?!.*was deleted after).*No\./s);
});
