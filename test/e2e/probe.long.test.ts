/** Interrupts and kills a probe while it writes: the scratch project is removed, at the latest by the next run. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { chooseStories } from "../stories.js";
import { connected, emulatorForTests, isolated, start, temporaryFolder, workspacectl } from "./support.js";

const ARGUMENTS = ["probe", "--write", "--project", "scratch"];

async function projects(emulator: Emulator): Promise<string[]> {
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
  return (body as { projects: { name: string }[] }).projects.map(({ name }) => name);
}

/** Starts a probe, and sends a signal when the project has existed for a moment, which differs with each run. */
async function stopped(signal: NodeJS.Signals, env: NodeJS.ProcessEnv, emulator: Emulator, after: number) {
  const child = start(ARGUMENTS, temporaryFolder(), env);
  while (!(await projects(emulator)).includes("scratch")) await sleep(5);
  await sleep(after);
  child.kill(signal);
  return child;
}

it.each(chooseStories(["SIGINT", "SIGTERM"] as const, 1))(
  "removes the scratch project on %s",
  { timeout: 600_000 },
  async (signal) => {
    const emulator = await emulatorForTests({ latencyMs: 20 });
    const env = isolated(temporaryFolder(), connected(emulator));
    const { exitCode, stderr } = await stopped(signal, env, emulator, 100);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining("interrupted") as string,
    });
    expect(await projects(emulator)).toEqual([]);
  },
);

it.each(chooseStories([0, 60, 250, 500], 1))(
  "removes it in the next run, when it was killed after %i ms",
  { timeout: 600_000 },
  async (after) => {
    const emulator = await emulatorForTests({ latencyMs: 20 });
    const env = isolated(temporaryFolder(), connected(emulator));
    await stopped("SIGKILL", env, emulator, after);
    expect(await projects(emulator)).toEqual(["scratch"]);
    const { code, stderr } = await workspacectl(ARGUMENTS, temporaryFolder(), env);
    expect({ code, stderr }).toMatchObject({
      stderr: expect.stringContaining("An earlier probe was interrupted") as string,
    });
    expect(await projects(emulator)).toEqual([]);
  },
);

it(
  "does not remove a project that somebody else has made in the meantime",
  { timeout: 600_000 },
  async () => {
    const emulator = await emulatorForTests({ latencyMs: 20 });
    const env = isolated(temporaryFolder(), connected(emulator));
    await stopped("SIGKILL", env, emulator, 100);
    const path = "/workspaces/acme/projects";
    await emulator.edit({ method: "DELETE", path: `${path}/scratch` });
    await emulator.edit({ method: "POST", path, body: { name: "scratch" } });
    await workspacectl(ARGUMENTS, temporaryFolder(), env);
    expect(await projects(emulator)).toEqual(["scratch"]);
  },
);

it(
  "says what the service did not let it delete, and the next run deletes it",
  { timeout: 600_000 },
  async () => {
    const emulator = await emulatorForTests();
    const env = isolated(temporaryFolder(), connected(emulator));
    const refused = { kind: "status", status: 403, method: "DELETE", path: /projects\/scratch$/ } as const;
    emulator.faults.add({ ...refused, count: 2 });
    const run = async () => (await workspacectl(ARGUMENTS, temporaryFolder(), env)).stderr;
    expect(await run()).toContain("What the probe has created in project scratch was not removed (HTTP 403)");
    expect(await run()).toContain("error: an earlier probe was interrupted. What the probe has created");
    expect(await projects(emulator)).toEqual(["scratch"]);
    expect(await run()).toContain("what it had left in project scratch was removed");
    expect(await projects(emulator)).toEqual([]);
  },
);
