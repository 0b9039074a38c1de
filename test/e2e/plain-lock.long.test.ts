/** Kills plain `pulumi up`: nobody has to judge whether its lock may be released, because the provider keeps the record of it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { signal, tree } from "../chaos/processes.js";
import {
  clone,
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  quickstart,
  startPulumi,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

it("stack unlock --if-owner-gone releases the lock of a killed pulumi up", { timeout: 240_000 }, async () => {
  const folder = temporaryFolder();
  const root = join(folder, "clone");
  clone(root);
  const file = quickstart(join(root, "examples/quickstart"));
  const emulator = await emulatorForTests({ latencyMs: 40 });
  const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
  const plain = (...argv: string[]) => pulumi(argv, root, env);
  await plain("stack", "init", "dev");
  await plain("config", "set", "workspace-automation:file", "examples/quickstart/workspace.yaml");
  const folderOfRecords = join(folder, "state/.pulumi/workspacectl/lock-holders/workspace-automation/dev");
  const records = () => (existsSync(folderOfRecords) ? readdirSync(folderOfRecords) : []);

  const up = ["up", "--yes", "--skip-preview", "--stack", "dev"];
  const { running } = await startPulumi(up, root, env);
  let hasEnded = false;
  void running.then(() => (hasEnded = true));
  while (emulator.journal.writes().length < 5 && !hasEnded) await sleep(5);
  expect(records()).toHaveLength(1);
  signal(await tree(running.pid), "SIGKILL");
  await running;

  const released = await workspacectl(["stack", "unlock", "--if-owner-gone", "-f", file], root, env);
  expect(released.stderr).toContain("its run was killed");
  expect(released).toMatchObject({ code: 0, stdout: "Stack dev is not locked." });
  expect((await plain("refresh", "--yes")).stderr).not.toContain("locked");
  expect(records()).toEqual([]);
});
