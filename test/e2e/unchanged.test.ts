/** Tests that nothing but a workspace in which nothing differs is compared without Pulumi's engine. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../cli/support.js";
import { countStarts, FOR_ENGINE, withoutTimes } from "../truth/unchanged.js";
import { type Setup, setUp } from "./support.js";

let world: Setup;
const starts = countStarts();

/** Runs a command in this process, and says whether it started the engine. */
async function ask(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const before = starts();
  const ended = await run([...argv, "--stack", "dev", "-f", world.file], { ...world.env, ...env });
  return { ended: withoutTimes(ended), isAsked: starts() > before };
}

beforeAll(async () => {
  world = await setUp();
  expect((await ask(["up", "--yes", "--create-stack"])).ended).toMatchObject({ code: 0 });
});

describe("an unchanged workspace", () => {
  it.each([
    ["preview", "--format", "json"],
    ["drift", "--format", "json"],
    ["up", "--yes", "--json"],
  ])("gets the engine's answer without it: %s %s %s", async (...argv) => {
    const short = await ask(argv);
    expect(short.isAsked).toBe(false);
    const long = await ask(argv, FOR_ENGINE);
    expect(long.isAsked).toBe(true);
    expect(short.ended).toEqual(long.ended);
  });

  it("is compared by the engine when the passphrase does not open its secrets", async () => {
    const { ended, isAsked } = await ask(["preview"], { PULUMI_CONFIG_PASSPHRASE: "another" });
    expect(isAsked).toBe(true);
    expect(ended.stderr).toContain("the passphrase is not the one that this stack was created with");
  });

  it("gets the engine's answer while another run has the lock", async () => {
    const state = readdirSync(world.folder, { recursive: true, encoding: "utf8" });
    const recorded = state.find((path) => /stacks.*dev\.json$/.test(path)) ?? "";
    const locks = join(world.folder, recorded.replace("stacks", "locks").replace(/\.json$/, ""));
    mkdirSync(locks, { recursive: true });
    const lock = { pid: 4711, username: "ann", hostname: "elsewhere", timestamp: new Date() };
    writeFileSync(join(locks, "lock.json"), JSON.stringify(lock));
    const [short, long] = [await ask(["drift"]), await ask(["drift"], FOR_ENGINE)];
    rmSync(locks, { recursive: true });
    expect([recorded, short.isAsked, long.isAsked]).toEqual([expect.stringContaining("dev"), false, true]);
    expect(short.ended).toEqual(long.ended);
  });

  it("gets a saved plan from the engine, which changes nothing", async () => {
    const plan = join(world.folder, "plan.json");
    expect(await ask(["preview", "--save-plan", plan])).toMatchObject({ isAsked: true, ended: { code: 0 } });
    const applied = await ask(["up", "--yes", "--plan", plan]);
    expect(applied.ended).toMatchObject({ code: 0 });
    expect(applied.ended.stdout).toContain("No changes: 41 objects as declared");
  });

  it("gets the same answer as a workspace of a fleet", async () => {
    const fleet = join(world.folder, "fleet.yaml");
    writeFileSync(fleet, `version: 1\nworkspaces:\n  acme: { file: ${world.file}, stack: dev }\n`);
    const drift = async (env: NodeJS.ProcessEnv = {}) =>
      withoutTimes(await run(["fleet", "drift", fleet], { ...world.env, ...env }));
    const short = await drift();
    expect(short).toMatchObject({ code: 0 });
    expect(short).toEqual(await drift(FOR_ENGINE));
  });
});

it("asks the engine about what was changed by hand, and about a changed file", async () => {
  const [{ id = 0 } = {}] = (await world.get<{ groups: { id: number }[] }>("/groups")).groups;
  await world.edit("PATCH", `/groups/${id}`, { description: "By hand" });
  expect(await ask(["drift"])).toMatchObject({ isAsked: true, ended: { code: 7 } });
  const text = readFileSync(world.file, "utf8");
  writeFileSync(world.file, text.replace("Who writes the code", "By hand"));
  const changed = await ask(["preview", "--exit-code"]);
  writeFileSync(world.file, text);
  expect(changed).toMatchObject({ isAsked: true });
});
