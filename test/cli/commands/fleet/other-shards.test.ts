/** Tests which workspaces of other shards a machine of a shared run completes, and in which order. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pLimit from "p-limit";
import { expect, it } from "vitest";
import { parseFleet } from "../../../../cli/commands/fleet/file.js";
import { helpOtherShards } from "../../../../cli/commands/fleet/other-shards.js";
import type { FleetResult } from "../../../../cli/commands/fleet/result.js";
import { digestEntries, FleetProgress } from "../../../../cli/commands/fleet/progress.js";
import { temporaryFolder, testIo } from "../../support.js";

/** A fleet of six workspaces in three shards, whose first machine has completed its own. */
async function play(
  index: number,
  {
    locked = new Array<string>(),
    codes = new Map<string, number>(),
    done = new Array<string>(),
    begun = new Array<string>(),
    /** The own workspaces wait for a lock, until so many others have been started. */
    endsAfter = 0,
  } = {},
) {
  const folder = temporaryFolder();
  const { io } = testIo({
    PATH: process.env["PATH"],
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
  });
  writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\n");
  const fleetFile = join(folder, "fleet.yaml");
  const of = { a1: 1, a2: 1, b1: 2, b2: 2, c1: 3, c2: 3 };
  const { entries } = parseFleet(fleetFile, `version: 1\nworkspaces: { ${Object.keys(of).join(": , ")}: }\n`);
  for (const stack of locked) {
    const locks = join(folder, "state/.pulumi/locks/organization/workspace-automation", stack);
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, "other.json"), "{}");
  }
  const started: string[] = [];
  const open = () => FleetProgress.open(fleetFile, digestEntries(entries, io.env), { run: "job-1" }, io);
  const another = await open();
  for (const name of done) another.done({ name });
  for (const name of begun) await another.begins({ name }, 3);
  await another.settle();
  const progress = await open();
  let end: (results: readonly FleetResult[]) => void = () => undefined;
  const own = new Promise<readonly FleetResult[]>((resolve) => (end = resolve));
  const waits = new Promise<void>((resolve) => (endsAfter > 0 ? resolve() : undefined));
  const stack = (argv: readonly string[]) => argv[argv.indexOf("--stack") + 1] ?? "";
  const run = {
    ...{ command: "up" as const, more: [], parallel: 1, failFast: false, limit: pLimit(1) },
    start: (argv: readonly string[]) => {
      started.push(stack(argv));
      if (started.length === endsAfter) end([]);
      return Promise.resolve({ exitCode: codes.get(stack(argv)) ?? 0, stdout: "" });
    },
  };
  if (endsAfter === 0) end([]);
  await helpOtherShards({ shard: { index, count: 3, of }, entries, progress, run, own, waits }, io);
  await progress.settle();
  return { started, again: await open() };
}

it("completes the last workspaces of the shard before first, and records them for their own shards", async () => {
  const { started, again } = await play(3, { done: ["c1", "c2", "a2"] });
  expect(started).toEqual(["b2", "b1", "a1"]);
  expect(["a1", "b1", "c1"].every((name) => again.isDone({ name }))).toBe(true);
});

it("leaves shards after its own to machines that may not have started yet", async () => {
  expect((await play(1)).started).toEqual([]);
  expect((await play(2)).started).toEqual(["a2", "a1"]);
});

it("leaves what another one has begun to the end, in case that one was lost", async () => {
  expect((await play(3, { begun: ["b2", "a1"] })).started).toEqual(["b1", "a2", "b2", "a1"]);
});

it("leaves what other machines work on to the successors of these", async () => {
  expect((await play(3, { locked: ["a2", "b1"] })).started).toEqual(["b2", "a1"]);
});

it("takes any workspace that nobody has begun while its own wait for a lock", async () => {
  expect((await play(1, { endsAfter: 3, begun: ["c2"] })).started).toEqual(["c1", "b2", "b1"]);
  expect((await play(2, { endsAfter: 1 })).started).toEqual(["a2", "a1"]);
});

it("tries nothing twice, and stops when it is interrupted", async () => {
  expect((await play(3, { codes: new Map([["b2", 1]]) })).started).toEqual(["b2", "b1", "a2", "a1"]);
  expect((await play(3, { codes: new Map([["b1", 130]]) })).started).toEqual(["b2", "b1"]);
});
