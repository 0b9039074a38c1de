/** Tests that a plan that is known without the engine is the engine's, over random files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, it } from "vitest";
import type { EngineOperation } from "../../../automation/stack/engine-stack.js";
import { type OpenStack, openStack } from "../../../automation/stack/open-stack.js";
import { setProtection } from "../../../automation/stack/run-operations.js";
import { listObjectsInState } from "../../../automation/stack/state.js";
import { isObject } from "../../../automation/urn.js";
import { randomOf } from "../../chaos/random.js";
import { run, testIo } from "../../cli/support.js";
import { setUp } from "../../e2e/support.js";
import { countCases } from "../../stories.js";
import { laterWorkspace, randomWorkspace, textOf } from "../../truth/workspace.js";

const first = Number(process.env["SEED"] ?? 1);
const seeds = Array.from({ length: countCases(300, 2) }, (_, i) => first + i);
const ALLOWED = ["--yes", "--allow-delete", "**", "--max-deletes", "1000", "--max-delete-share", "100"];

it.each(seeds)("everything is created, and deleted, as the engine plans it: seed %i", async (seed) => {
  const random = randomOf(seed);
  const service = { echoMemberEmail: true, strictBodies: true, rateLimit: 1_000_000 };
  const world = await setUp("version: 1\n", service);
  const { file, folder, env, emulator } = world;
  const workspace = randomWorkspace(random, emulator.workspace);
  const given = random.chance(0.5) ? workspace : laterWorkspace(random, workspace);
  // An object that is kept or protected is left to the engine when everything is deleted.
  for (const group of Object.values(given.groups))
    Object.assign(group, random.chance(0.1) ? { retain: true } : random.chance(0.1) ? { protect: true } : {});
  writeFileSync(file, textOf(given));
  const { io } = testIo(env);
  const plan = join(folder, "plan.json");

  const reads = { program: true, missing: "try", readsAll: true } as const;
  const fresh = () => openStack({ file, stack: "dev" }, reads, io);
  const created = await listSteps(await fresh(), { command: "preview", refresh: true });
  const byEngine = await listSteps(await fresh(), { command: "preview", refresh: true, plan });
  expect([created.isKnown, byEngine.isKnown]).toEqual([true, false]);
  expect(created.steps).toEqual(byEngine.steps);

  const applied = await run(["up", "--create-stack", "--stack", "dev", "-f", file, ...ALLOWED], env);
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  const open = await openStack({ file, stack: "dev" }, { program: false, changes: true }, io);
  const urns = listObjectsInState(await open.state()).flatMap((one) => (one.protect ? [one.urn] : []));
  await setProtection(open.cli, open.name, urns, false);
  const deleted = await listSteps(open, { command: "previewDestroy", fromState: true });
  const engine = await listSteps(open, { command: "previewDestroy" });
  expect(deleted.isKnown).toBe(!(await open.state()).resources?.some(({ retainOnDelete }) => retainOnDelete));
  expect(deleted.steps).toEqual(engine.steps);
});

/** What an operation plans for each object, and whether it did so without the engine. */
async function listSteps({ stack }: OpenStack, operation: EngineOperation) {
  const events: EngineEvent[] = [];
  await stack.run(operation, { onEvent: (event) => void events.push(event) });
  const steps = events.flatMap(({ resOutputsEvent }) => {
    const { op, urn, type, old, new: fresh } = resOutputsEvent?.metadata ?? {};
    if (urn === undefined || type === undefined || !isObject({ type })) return [];
    return [[urn, { op, old: pickState(old), new: pickState(fresh) }] as const];
  });
  expect(steps.length).toBeGreaterThan(0);
  return {
    steps: Object.fromEntries(steps.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    isKnown: !events.some(({ summaryEvent }) => summaryEvent),
  };
}

/** A state as text, because the order of its keys is part of what somebody approves. */
function pickState(state: object | null | undefined): string {
  const { type, urn, custom, id, parent, protect, retainOnDelete, inputs, outputs } = (state ?? {}) as Record<
    string,
    unknown
  >;
  return JSON.stringify(
    { type, urn, custom, id, parent, protect, retainOnDelete, inputs, outputs },
    undefined,
    1,
  );
}
