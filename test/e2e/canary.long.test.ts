/**
 * Secrets are planted in every argument, nested value, script, placeholder and credential that there is. Every command runs, undisturbed and
 * disturbed, and all that is written anywhere is searched for them: what is printed, state, history, backups, reports, temporary folders, caches, arguments
 * of processes. `npm run canary` disturbs every command in every way; `npm run test:all` takes the few runs through which most secrets go.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Command } from "commander";
import { exitCodes } from "../../cli/exit-codes.js";
import { commandTree } from "../../cli/program.js";
import { testIo } from "../cli/support.js";
import { disturbances, type Call, type Disturbance } from "./canary/call.js";
import { callsOf, elsewhere } from "./canary/commands.js";
import { tamper } from "./canary/service.js";
import { World } from "./canary/world.js";

/** `all`, or the names of commands: those are disturbed in every way, after what they need. */
const wanted = process.env["CANARY"];
const all = wanted !== undefined;

/** What `npm run test:all` runs, in order, of each command the first call. The run after a crash takes up what the crashed one left. */
const short: readonly (readonly [command: string, ways: readonly Disturbance[]])[] = [
  ["pulumi", ["none"]],
  ["config set", ["none"]],
  ["up", ["provider crash", "4xx", "none", "refusal"]],
  ["drift", ["none"]],
  ["export", ["none"]],
  ["stack export", ["none"]],
];

/** The names of all commands that do something. */
function commandsOf(command: Command, path: readonly string[] = []): string[] {
  const own = command.commands.length === 0 || path.join(" ") === "drift" ? [path.join(" ")] : [];
  return [...own, ...command.commands.flatMap((one) => commandsOf(one, [...path, one.name()]))];
}

/** All ways in which a call can go. */
function waysOf(call: Call): Disturbance[] {
  return disturbances.filter(
    (way) =>
      way === "none" ||
      (way === "refusal" ? call.service || call.argv.includes("--overlay") : false) ||
      (way === "provider crash" ? call.engine : way !== "refusal" && call.service),
  );
}

/** What the others need is made once, undisturbed. */
function planned(name: string, call: Call): Disturbance[] {
  if (wanted === "all" || wanted?.split(",").includes(name)) return waysOf(call);
  return ["pulumi", "config set", "up"].includes(name) ? ["none"] : [];
}

/** Findings and what could not be read are no failure. */
const fine: readonly number[] = [exitCodes.ok, exitCodes.drift, exitCodes.incomplete];

describe("planted secrets", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  }, 300_000);

  it("are more than sixty, in everything that takes a text", () => {
    expect(world.secrets.size).toBeGreaterThan(60);
  });

  it("are taken through every command there is", () => {
    const tree = commandTree(testIo().io, () => () => Promise.resolve());
    const called = [...Object.keys(callsOf(world)), ...Object.keys(elsewhere)];
    expect(commandsOf(tree).toSorted()).toEqual(called.toSorted());
  });

  it("are found nowhere, whatever happens to a command", { timeout: all ? 7_200_000 : 600_000 }, async () => {
    const calls = callsOf(world);
    const plan = all
      ? Object.entries(calls).flatMap(([name, some]) =>
          some.map((call) => [call, planned(name, call)] as const),
        )
      : short.map(([name, ways]) => [calls[name]![0]!, ways] as const);
    for (const [call, ways] of plan) {
      const codes: unknown[] = [];
      for (const way of ways) {
        if (call.argv[0] === "drift") await tamper(world);
        const code = await world.run(call, way);
        codes.push(code);
        if (way === "refusal" && call.argv.includes("--overlay") && !call.guardsAlone)
          expect.soft([call.argv, code]).not.toEqual([call.argv, 0]);
      }
      // A command that always fails early proves nothing; what can be done once only may be done by a disturbed one.
      const expected = call.code === undefined ? fine : [call.code];
      if (codes.length > 0)
        expect.soft([call.argv, ...codes]).toSatisfy(() => expected.some((code) => codes.includes(code)));
    }
    expect(world.found()).toEqual([]);
  });

  it("would be found where they are not hidden", async () => {
    const before = world.found().length;
    const secret = world.secrets.text("a secret that is told");
    for (const form of ["latin1", "base64", "hex"] as const)
      writeFileSync(join(world.folder, "tmp", form), Buffer.from(`a ${secret} b`).toString(form));
    await world.run({ argv: ["validate", "-f", `${secret}.yaml`] });
    const found = world.found().slice(before);
    expect(found.map(({ where }) => where.replace(/.*: /, "")).toSorted()).toEqual([
      ...["arguments of a process", "standard error"],
      ...["tmp/base64", "tmp/hex", "tmp/latin1"],
    ]);
  });
});
