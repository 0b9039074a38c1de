/**
 * Tests that forty secrets, planted in all inputs of a workspace, never appear as plain text in anything that Pulumi or
 * we write.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { InstalledProject } from "./installed-project.js";

const env = {
  PLANTED_CODE: "planted-02",
  WORKSPACE_VAR_PLANTED_FILE: "planted-12",
  WORKSPACE_VAR_PLANTED_PART: "planted-15",
  WORKSPACE_VAR_PLANTED_HOST: "planted-36",
  WORKSPACE_AUTOMATION_DEBUG: "1",
};

let emulator: Emulator;
let project: InstalledProject;
/** The output of all commands. */
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

  it("remain hidden through a refresh, a change of another field, drift and a failing run", async () => {
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
    expect(await run({ WORKSPACE_VAR_PLANTED_FILE: "planted-12-rotated" }, "up", "--yes", "--diff")).toMatch(
      /1 updated/,
    );
  });

  it("remain hidden if validation fails", async () => {
    expect(await run({ WORKSPACE_VAR_PLANTED_FILE: "" }, "preview")).toContain("PLANTED_FILE is empty");
  });

  it("of an earlier release's plain-text state cause no change, and the next refresh encrypts them", async () => {
    interface State {
      deployment: { resources: { urn: string; inputs: Props; outputs: Props }[] };
    }
    type Props = Record<string, unknown>;
    const exported = async () => JSON.parse(await project.pulumi("stack", "export")) as State;
    const earlier = ({ deployment }: State) =>
      deployment.resources.find(({ urn }) => urn.endsWith("actions/Earlier"))!;
    const state = await exported();
    expect(JSON.stringify(state)).not.toContain("formerly-in-clear");
    for (const props of [earlier(state).inputs, earlier(state).outputs])
      props["fields"] = { scan_target: "formerly-in-clear" };
    writeFileSync(join(project.folder, "earlier.json"), JSON.stringify(state));
    await project.pulumi("stack", "import", "--file", "earlier.json");
    rmSync(join(project.folder, "earlier.json"));
    expect(JSON.stringify(await exported())).toContain("formerly-in-clear");
    expect(await run({}, "preview", "--diff", "--expect-no-changes")).toMatch(/\d+ unchanged/);
    // With --diff, Pulumi itself would print the previous state.
    expect(await run({}, "preview", "--refresh", "--expect-no-changes")).toMatch(/\d+ unchanged/);
    expect(await run({}, "up", "--yes", "--skip-preview")).toMatch(/\d+ unchanged/);
    expect(JSON.stringify(earlier(await exported()).inputs)).not.toContain("formerly-in-clear");
    expect(await run({}, "refresh", "--yes")).toMatch(/\d+ unchanged/);
    expect(JSON.stringify(await exported())).not.toContain("formerly-in-clear");
    expect(printed).not.toContain("formerly-in-clear");
  });

  it("appear as plain text neither in the output nor in the files", () => {
    expect(printed).toContain("CODE_1");
    expect(printed.match(/planted-(\d+|by)[^\s"]*/g) ?? []).toEqual([]);
    const left = project.filesLeft();
    expect(left).toContain("CODE_1");
    expect(left).toContain("said-to-be-open");
    expect(left.match(/planted-(\d+|by)[^\s"]*/g) ?? []).toEqual([]);
  });
});
