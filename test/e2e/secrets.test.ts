/** Thirty secrets, planted on every way into a workspace, are in clear nowhere that Pulumi or we write. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { InstalledProject } from "./installed-project.js";

const env = {
  PLANTED_CODE: "planted-02",
  PLANTED_FILE: "planted-12",
  PLANTED_PART: "planted-15",
  WORKSPACE_AUTOMATION_DEBUG: "1",
};

let emulator: Emulator;
let project: InstalledProject;
/** All that any command printed. */
let printed = "";

async function run(more: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const output = await project
    .pulumiWith({ ...env, ...more }, ...args)
    .catch((error: unknown) => (error as Error).message);
  printed += output;
  return output;
}

beforeAll(async () => {
  emulator = await startEmulator({ strictBodies: true });
  project = await InstalledProject.create(emulator, join(import.meta.dirname, "programs/secrets"));
  await project.pulumi("config", "set", "--secret", "planted", "planted-03");
}, 120_000);
afterAll(async () => {
  project.remove();
  await emulator.close();
});

describe("planted secrets", { timeout: 180_000 }, () => {
  it("reach the service", async () => {
    expect(await run({}, "up", "--yes", "--diff")).toMatch(/\d+ created/);
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/variables" });
    expect(JSON.stringify(body)).toContain("secure!");
  });

  it("stay hidden through a refresh, a change of another field, drift and a failing run", async () => {
    expect(await run({}, "refresh", "--yes", "--diff")).toContain("unchanged");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/variables" });
    const [variable] = (body as { variables: { id: number; key: string }[] }).variables;
    await emulator.edit({
      method: "PATCH",
      path: `/workspaces/acme/variables/${String(variable?.id)}`,
      body: { key: variable?.key, value: "planted-by-somebody", encrypted: true },
    });
    expect(await run({}, "preview", "--refresh", "--diff")).toMatch(/1 to update/);
    expect(await run({}, "up", "--yes", "--refresh", "--diff")).toMatch(/1 updated/);
    expect(await run({ FAIL: "1" }, "up", "--yes", "--diff")).toContain("no-such-project");
    expect(await run({ PLANTED_FILE: "planted-12-rotated" }, "up", "--yes", "--diff")).toMatch(/1 updated/);
  });

  it("stay hidden when validation fails", async () => {
    expect(await run({ PLANTED_FILE: "" }, "preview")).toContain("PLANTED_FILE is empty");
  });

  it("are in clear neither in what was printed nor in what was left behind", () => {
    expect(printed).toContain("CODE_1");
    expect(printed.match(/planted-(\d+|by)[^\s"]*/g) ?? []).toEqual([]);
    const left = project.filesLeft();
    expect(left).toContain("CODE_1");
    expect(left.match(/planted-(\d+|by)[^\s"]*/g) ?? []).toEqual([]);
  });
});
