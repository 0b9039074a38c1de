/** Tests that nothing but a workspace in which nothing differs is compared without Pulumi's engine. */
import { readFileSync, writeFileSync } from "node:fs";
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
