// Tests the workspace file against the emulator: what it creates, and that a second run changes nothing.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startEmulator } from "workspace-automation-emulator";
import { afterAll, expect, it } from "vitest";
import { openWorkspace } from "workspacectl";

const emulator = await startEmulator();
// A copy, so that the test leaves neither a state nor settings of its stack here.
const folder = mkdtempSync(join(tmpdir(), "workspace-test-"));
const file = join(folder, "workspace.yaml");
copyFileSync("workspace.yaml", file);
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const workspace = openWorkspace({
  file,
  env: {
    ...process.env,
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
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
