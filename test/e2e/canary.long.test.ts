/**
 * Plants secrets in every argument, nested value, script, placeholder and credential, runs every command with and
 * without failures, and searches everything written for the secrets: output, state, history, backups, reports,
 * temporary folders, caches and process arguments. `npm run stress -- canary` combines every command with every failure. `npm test
 * -- --all` runs the few combinations that involve the most secrets.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { exitCodes } from "../../automation/report/exit-codes.js";
import { buildCommandTree } from "../../cli/program.js";
import { testIo } from "../cli/support.js";
import { type Call, type Disturbance, disturbances } from "./canary/call.js";
import { callsOf, elsewhere } from "./canary/commands.js";
import { tamper } from "./canary/service.js";
import { World } from "./canary/world.js";

/** `all`, or the names of commands to run with every failure after the commands that they depend on. */
const wanted = process.env["CANARY"];
const all = wanted !== undefined;

/**
 * The runs of `npm test -- --all` in order, with the first call of each command. The run after a crash recovers from it.
 */
const short: readonly (readonly [command: string, ways: readonly Disturbance[]])[] = [
  ["pulumi", ["none"]],
  ["config set", ["none"]],
  ["up", ["provider crash", "4xx", "none", "refusal"]],
  ["drift", ["none"]],
  ["export", ["none"]],
  ["stack export", ["none"]],
  ["stack migrate", ["none"]],
];

/** Returns the names of all executable commands. */
function commandsOf(command: Command, path: readonly string[] = []): string[] {
  const own = command.commands.length === 0 || path.join(" ") === "drift" ? [path.join(" ")] : [];
  return [...own, ...command.commands.flatMap((one) => commandsOf(one, [...path, one.name()]))];
}

/** Returns all failures that apply to a call. */
function waysOf(call: Call): Disturbance[] {
  return disturbances.filter(
    (way) =>
      way === "none" ||
      (way === "refusal" ? call.service || call.argv.includes("--overlay") : false) ||
      (way === "provider crash" ? call.engine : way !== "refusal" && call.service),
  );
}

/** Runs the commands that others depend on once, without a failure. */
function planned(name: string, call: Call): Disturbance[] {
  if (wanted === "all" || wanted?.split(",").includes(name)) return waysOf(call);
  return ["pulumi", "config set", "up"].includes(name) ? ["none"] : [];
}

/** Findings and unreadable objects do not count as failures. */
const fine: readonly number[] = [exitCodes.ok, exitCodes.drift, exitCodes.incomplete];

describe("planted secrets", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  }, 600_000);

  it("are more than sixty, in every argument that accepts text", () => {
    expect(world.secrets.size).toBeGreaterThan(60);
  });

  it("pass through every command", () => {
    const tree = buildCommandTree(testIo().io, () => () => Promise.resolve());
    const called = [...Object.keys(callsOf(world)), ...Object.keys(elsewhere)];
    expect(commandsOf(tree).toSorted()).toEqual(called.toSorted());
  });

  it("appear nowhere, whatever failure hits a command", { timeout: all ? 7_200_000 : 600_000 }, async () => {
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
      // A command that always fails early proves nothing. An unrepeatable one may succeed in the run with a failure.
      const expected = call.code === undefined ? fine : [call.code];
      if (codes.length > 0)
        expect
          .soft([call.argv, ...codes, world.lastMessages])
          .toSatisfy(() => expected.some((code) => codes.includes(code)));
    }
    expect(world.found()).toEqual([]);
    for (const option of ["otel-traces", "tracing"])
      for (const call of ["ResourceMonitor/RegisterResource", "ResourceProvider/Create"])
        expect(world.spans).toContain(`${option}: pulumirpc.${call}`);
  });

  it("are found if they are not masked", async () => {
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
