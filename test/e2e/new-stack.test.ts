/**
 * Tests that a stack configuration applies before the stack exists, so that its first run uses the same account as the
 * second.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emulatorForTests, isolated, pulumi, stateIn, temporaryFolder, workspacectl } from "./support.js";

const folder = temporaryFolder();

it("the first run uses the configured account, with the token that is encrypted in the file", async () => {
  const configured = await emulatorForTests();
  // The caller names the address. Only the stack has a token.
  const env = isolated(folder, { WORKSPACE_AUTOMATION_BASE_URL: configured.baseUrl, ...stateIn(folder) });
  const file = join(folder, "workspace.yaml");
  const { workspace } = configured;
  writeFileSync(file, `version: 1\nworkspace: ${workspace}\ngroups:\n  QA: { description: Testers }\n`);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  await pulumi(["stack", "init", "us"], folder, env);
  await pulumi(["config", "set", "workspace-automation:baseUrl", configured.baseUrl], folder, env);
  await pulumi(["config", "set", "--secret", "workspace-automation:token", configured.token], folder, env);
  // Simulates a clone, which has the file of the stack but no state.
  rmSync(join(folder, "state"), { recursive: true });
  stateIn(folder);
  const settings = readFileSync(join(folder, "Pulumi.us.yaml"), "utf8");
  expect(settings).not.toContain(configured.token);

  const { code, stderr } = await workspacectl(["up", "--yes", "-s", "us", "-f", file], folder, env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(configured.journal.writes()).toHaveLength(1);
  expect(readFileSync(join(folder, "Pulumi.us.yaml"), "utf8")).toBe(settings);
  expect(existsSync(join(folder, "Pulumi.yaml"))).toBe(true);
});
