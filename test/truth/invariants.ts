/**
 * What plans, drift reports and accepted edits promise, on the real engine: a random workspace is changed by hand at random, and each command
 * has to be true to what it said.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { differences } from "../chaos/compare.js";
import { randomPlan } from "../chaos/plan.js";
import { randomOf } from "../chaos/random.js";
import { setUp, type Ended, type Setup } from "../e2e/support.js";
import { editAtRandom } from "./outside-edits.js";

interface DriftJson {
  readonly findings: readonly { readonly class: string; readonly name: string }[];
}

interface PlanJson {
  readonly plan: {
    readonly steps: readonly { readonly operation: string; readonly name: string }[];
    readonly drift: readonly { readonly name: string }[];
  };
}

/** How the drift is settled. */
export type Settling = "accept" | "revert" | "up";

const ALLOWED = ["--yes", "--allow-delete", "**", "--max-deletes", "1000", "--max-delete-share", "100"];

/** Checks one random workspace. */
export async function checkInvariants(seed: number, settling: Settling): Promise<void> {
  const random = randomOf(seed);
  const world = await setUp("version: 1\n", { echoMemberEmail: true, strictBodies: true });
  const plan = randomPlan(random, world.emulator.workspace);
  writeFileSync(world.file, stringify(plan, { aliasDuplicateObjects: false }));
  expectOk(await world.run("up", "--create-stack", ...ALLOWED));
  const edits = await editAtRandom(world.emulator, random, random.between(1, 6));
  try {
    await check(world, settling, plan);
  } catch (error) {
    (error as Error).message += `\nseed ${seed}, ${settling}; by hand:\n${edits.join("\n")}`;
    throw error;
  }
}

async function check(
  { run, emulator, folder, file }: Setup,
  settling: Settling,
  plan: Parameters<typeof differences>[1],
): Promise<void> {
  const writes = () => emulator.journal.writes().map(({ method, path }) => `${method} ${path}`);
  const driftNow = async () => {
    const ended = await run("drift", "--format", "json=drift.json");
    expect([0, 7], ended.stderr).toContain(ended.code);
    return JSON.parse(readFileSync(join(folder, "drift.json"), "utf8")) as DriftJson;
  };

  emulator.journal.clear();
  const drift = await driftNow();
  const preview = await run("preview", "--json");
  const announced = (JSON.parse(preview.stdout) as PlanJson).plan;
  await run("export", "-o", "exported.yaml");
  expect(writes(), "commands that read write nothing").toEqual([]);
  const outside = drift.findings.filter((one) => ["changed", "deleted"].includes(one.class));
  expect(names(announced.drift), "preview and drift name the same objects as changed outside").toEqual(
    names(outside),
  );

  if (settling === "up") {
    const ended = await run("up", "--json", ...ALLOWED);
    expectOk(ended);
    const done = (JSON.parse(ended.stdout) as PlanJson).plan;
    expect(steps(done), "up does what preview announced").toEqual(steps(announced));
    if (announced.steps.length === 0) expect(writes()).toEqual([]);
    const left = (await differences(emulator, plan)).filter((line) => line.startsWith("missing"));
    expect(left, "the workspace is as a fresh up of the file makes it").toEqual([]);
  } else if (settling === "revert") {
    if (drift.findings.length > 0) expectOk(await run("drift", "revert", "--all", ...ALLOWED));
    await expectSettled(["changed", "deleted"]);
  } else {
    if (drift.findings.length > 0) expectOk(await run("drift", "accept", "--all"));
    expect(writes(), "accepting changes the file only").toEqual([]);
    await expectSettled(["changed", "deleted", "added"]);
  }

  async function expectSettled(classes: readonly string[]): Promise<void> {
    emulator.journal.clear();
    const ended = await run("up", ...ALLOWED);
    expect(ended.code, `${ended.stdout}${ended.stderr}\n${readFileSync(file, "utf8")}`).toBe(0);
    expect(writes(), `up writes nothing\n${readFileSync(file, "utf8")}`).toEqual([]);
    const left = (await driftNow()).findings.filter((one) => classes.includes(one.class));
    expect(left, "drift is clean").toEqual([]);
  }
}

function names(all: readonly { readonly name: string }[]): string[] {
  return [...new Set(all.map(({ name }) => name))].toSorted();
}

function steps({ steps: all }: PlanJson["plan"]): string[] {
  return all.map(({ operation, name }) => `${operation} ${name}`).toSorted();
}

function expectOk({ code, stdout, stderr }: Ended): void {
  expect(code, stdout + stderr).toBe(0);
}
