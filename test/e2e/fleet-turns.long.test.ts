/** Runs a fleet while another run has the lock of one of its workspaces. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import { connected, emulatorForTests, isolated, start, temporaryFolder, workspacectl } from "./support.js";

const groups = (count: number) =>
  Array.from({ length: count }, (_, index) => `  G${index}: { description: Group ${index} }\n`).join("");

it.runIf(tellsAllStories)(
  "a workspace whose stack is locked lets the others of the fleet run",
  { timeout: 600_000 },
  async () => {
    const emulator = await emulatorForTests({
      latencyMs: 300,
      seed: {
        users: [{ email: "owner@example.com" }],
        workspaces: ["locked", "free"].map((domain) => ({ domain, owner: "owner@example.com" })),
      } as never,
    });
    const folder = temporaryFolder();
    for (const [name, count] of [
      ["locked", 200],
      ["free", 1],
    ] as const)
      writeFileSync(
        join(folder, `${name}.yaml`),
        `version: 1\nworkspace: ${name}\ngroups:\n${groups(count)}`,
      );
    const backend = pathToFileURL(temporaryFolder()).href;
    const fleet = "version: 1\nworkspaces: { free: { file: free.yaml }, locked: { file: locked.yaml } }\n";
    writeFileSync(join(folder, "fleet.yaml"), fleet);
    const env = isolated(folder, { ...connected(emulator), PULUMI_BACKEND_URL: backend });
    const argv = ["up", "--yes", "--create-stack", "--file", "locked.yaml", "--stack", "locked"];
    const other = start(argv, folder, env);
    while (emulator.journal.writes().length < 3) {
      if (other.exitCode != null) expect.fail((await other).stderr);
      await sleep(5);
    }
    const { code, stdout, stderr } = await workspacectl(
      ["fleet", "up", "--yes", "--parallel", "1"],
      folder,
      env,
    );
    expect(code, stderr).toBe(0);
    expect(await other).toMatchObject({ exitCode: 0 });
    const at = (text: RegExp) => stderr.search(text);
    expect(at(/locked \| Another update of stack locked is in progress/)).toBeLessThan(at(/free +\| Done/));
    expect(at(/free +\| Done/)).toBeLessThan(at(/locked \| .*(Done|no changes|Nothing)/i));
    expect(stdout).toMatch(/free .*\n *locked /);
    expect(emulator.journal.writes()).toHaveLength(201);
  },
);
