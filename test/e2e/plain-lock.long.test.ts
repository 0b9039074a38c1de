/** Kills plain `pulumi up`: nobody has to judge whether its lock may be released, because the provider keeps the record of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
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
  temporaryFolder,
  workspacectl,
} from "./support.js";

/** Where plain Pulumi finds the address of the state, which is a folder of the test. */
const places: Readonly<Record<string, (root: string, state: string) => NodeJS.ProcessEnv>> = {
  "the environment names": (_root, state) => ({ PULUMI_BACKEND_URL: pathToFileURL(state).href }),
  "only Pulumi.yaml names": (root, state) => {
    const file = join(root, "Pulumi.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}backend: { url: "file://${relative(root, state)}" }\n`);
    return {};
  },
};

it.each(Object.entries(places))(
  "the lock of a killed pulumi up is released by stack unlock --if-owner-gone, with a state that %s",
  { timeout: 600_000 },
  async (_title, setPlace) => {
    const folder = temporaryFolder();
    const root = join(folder, "clone");
    clone(root);
    const file = quickstart(join(root, "examples/quickstart"));
    const emulator = await emulatorForTests({ latencyMs: 40 });
    mkdirSync(join(folder, "state"));
    const env = isolated(folder, { ...connected(emulator), ...setPlace(root, join(folder, "state")) });
    const plain = (...argv: string[]) => pulumi(argv, root, env);
    await plain("stack", "init", "dev");
    await plain("config", "set", "workspace-automation:file", "examples/quickstart/workspace.yaml");
    const holders = join(folder, "state/.pulumi/workspacectl/lock-holders/workspace-automation/dev");
    const records = () => (existsSync(holders) ? readdirSync(holders) : []);

    const up = ["up", "--yes", "--skip-preview", "--stack", "dev"];
    const { running } = await startPulumi(up, root, env);
    let hasEnded = false;
    void running.then(() => (hasEnded = true));
    while (emulator.journal.writes().length < 5 && !hasEnded) await sleep(5);
    const ofKilled = records();
    expect(ofKilled).toHaveLength(1);
    signal(await tree(running.pid), "SIGKILL");
    await running;

    const released = await workspacectl(["stack", "unlock", "--if-owner-gone", "-f", file], root, {
      ...env,
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
    });
    expect(released.stderr).toContain("its run was killed");
    expect(released).toMatchObject({ code: 0, stdout: "Stack dev is not locked." });
    // Pulumi may kill a provider before it removes its own record. The next one removes that.
    expect((await plain("refresh", "--yes")).stderr).not.toContain("locked");
    expect(records()).not.toContain(ofKilled[0]);
  },
);
