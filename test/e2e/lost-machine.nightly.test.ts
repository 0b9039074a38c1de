/**
 * Loses the machine of a run, and lets one stand still for two minutes, with the state in a folder, in a bucket, and in the stores that the
 * environment names: the next run waits a minute at most, and nobody is asked. Takes 3 minutes each. Needs a build and Go.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { listNamesIn } from "../../recovery/stores.js";
import { signal, tree } from "../chaos/processes.js";
import { missingGo } from "./language-hosts.js";
import { type OtherStore, otherStores } from "./other-stores.js";
import { type ObjectStore, objectStoreForTests } from "./s3.js";
import { connected, emulatorForTests, isolated, start, temporaryFolder, workspacectl } from "./support.js";

const skip = await missingGo();
const RECORDS = ".pulumi/workspacectl/lock-holders/workspace-automation/dev/";
const JOURNALS = ".pulumi/workspacectl/journal/workspace-automation/dev/";

let store: ObjectStore;
let emulator: Emulator;
beforeAll(async () => {
  if (skip === undefined) store = await objectStoreForTests();
}, 600_000);
beforeEach(async () => {
  emulator = await emulatorForTests({ latencyMs: 20 });
});

function inFolder(): OtherStore {
  const root = temporaryFolder();
  return {
    env: { PULUMI_BACKEND_URL: pathToFileURL(root).href },
    keys: (folder) => Promise.resolve(listNamesIn(join(root, folder)).map((name) => folder + name)),
    read: (key) => Promise.resolve(readFileSync(join(root, key), "utf8")),
    write: (key, text) => Promise.resolve(writeFileSync(join(root, key), text)),
  };
}

function inBucket(): OtherStore {
  return { ...store, env: { ...store.env, PULUMI_BACKEND_URL: store.backend } };
}

/** Machines that share nothing but the state. */
function machine(place: OtherStore) {
  const folder = temporaryFolder();
  const groups = Array.from({ length: 30 }, (_, index) => `  G${index}: { description: Group ${index} }\n`);
  writeFileSync(join(folder, "workspace.yaml"), `version: 1\nworkspace: acme\ngroups:\n${groups.join("")}`);
  const env = isolated(folder, { ...connected(emulator), ...place.env });
  const up = ["up", "--yes", "--create-stack"];
  return {
    run: (...argv: string[]) => workspacectl(argv, folder, env),
    up: () => workspacectl(up, folder, env),
    async midway() {
      const running = start(up, folder, env);
      while (emulator.journal.writes().length < 3) {
        if (running.exitCode != null) expect.fail((await running).stderr);
        await sleep(5);
      }
      return { running, processes: await tree(running.pid) };
    },
  };
}

/** Hides that the run is one of this machine: another one cannot tell whether its process has ended. */
async function moveElsewhere(place: OtherStore): Promise<void> {
  for (const folder of [RECORDS, JOURNALS])
    for (const key of await place.keys(folder))
      await place.write(key, (await place.read(key)).replace(/"boot":"[^"]*"/, '"boot":"another"'));
}

async function expectAllDone(place: OtherStore): Promise<void> {
  const { groups } = (await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" })).body as {
    groups: object[];
  };
  expect(groups).toHaveLength(30);
  const writes = emulator.journal.writes().length;
  const third = machine(place);
  expect(await third.run("preview")).toMatchObject({ code: 0 });
  expect(await third.run("drift")).toMatchObject({ code: 0 });
  expect(emulator.journal.writes()).toHaveLength(writes);
}

const places: Readonly<Record<string, () => OtherStore | Promise<OtherStore>>> = {
  folder: inFolder,
  ...(skip === undefined ? { bucket: inBucket } : {}),
  ...otherStores(),
};

describe.each(Object.entries(places))("with the state in a %s", (_name, placeOf) => {
  it(
    "a lost machine holds nobody up for longer than a minute, and nobody is asked",
    { timeout: 240_000 },
    async () => {
      const place = await placeOf();
      const { running, processes } = await machine(place).midway();
      signal(processes, "SIGKILL");
      await running;
      await moveElsewhere(place);
      const began = Date.now();
      const { code, stderr } = await machine(place).up();
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(
        /The lock of stack dev was released \(created by .*\): its run has not renewed it for 6\d s/,
      );
      const took = Date.now() - began;
      await expectAllDone(place);
      expect([...(await place.keys(RECORDS)), ...(await place.keys(JOURNALS))]).toEqual([]);
      expect(took).toBeLessThan(120_000);
    },
  );

  it(
    "a run that stood still for two minutes sends nothing more, and writes no state",
    { timeout: 300_000 },
    async () => {
      const place = await placeOf();
      const { running, processes } = await machine(place).midway();
      signal(processes, "SIGSTOP");
      await moveElsewhere(place);
      const stopped = Date.now();
      const { code, stderr } = await machine(place).up();
      expect(code, stderr).toBe(0);
      await sleep(Math.max(0, stopped + 120_000 - Date.now()));
      emulator.journal.clear();
      signal(processes, "SIGCONT");
      const { exitCode, stderr: said } = await running;
      expect(exitCode).toBe(1);
      expect(said).toContain("nothing more is sent");
      expect(emulator.journal.writes()).toEqual([]);
      await expectAllDone(place);
    },
  );
});
