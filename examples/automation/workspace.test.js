// Tests the workspace file against the emulator: what it creates, and that a second run changes nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startEmulator } from "workspace-automation-emulator";
import { afterAll, expect, it } from "vitest";
import { openWorkspace } from "workspacectl";

const emulator = await startEmulator();
const state = mkdtempSync(join(tmpdir(), "state-"));
afterAll(async () => {
  await emulator.close();
  rmSync(state, { recursive: true });
});

const workspace = openWorkspace({
  file: "workspace.yaml",
  env: {
    ...process.env,
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "of the test",
  },
});

it("creates two groups and a variable, and nothing the second time", { timeout: 120_000 }, async () => {
  const { done } = await workspace.up({ yes: true, createStack: true });
  expect(done.steps.map(({ operation, name }) => `${operation} ${name}`).sort()).toEqual([
    "create groups/Developers",
    "create groups/On call",
    "create variables/REGION",
  ]);
  expect((await workspace.preview()).result).toBe("nothing");
});
