/**
 * Tests that a stack configuration applies before the stack exists, so that its first run uses the same account as the
 * second.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

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

it("a first value is set before the first up, which needs it, and makes the stack", async () => {
  const emulator = await emulatorForTests();
  const env = isolated(temporaryFolder(), connected(emulator));
  const cwd = temporaryFolder();
  const file = join(cwd, "workspace.yaml");
  writeFileSync(file, "version: 1\nworkspace: acme\nvariables:\n  TIER: ${config:tier}\n");
  const run = (...argv: string[]) => workspacectl(argv, cwd, env);
  expect((await run("preview")).stderr).toContain('"workspacectl config set tier VALUE"');
  const set = await run("config", "set", "tier", "gold");
  expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining("Stack dev of project") as string });
  // The value is committed with the file.
  expect(readFileSync(join(cwd, "Pulumi.dev.yaml"), "utf8")).toContain("workspace-automation:tier: gold");
  expect(await run("stack", "init", "dev")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is a stack dev already") as string,
  });
  expect(await run("preview", "--exit-code")).toMatchObject({ code: 2 });
  expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  expect(await run("preview", "--detailed-exitcode")).toMatchObject({ code: 0 });
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/variables" });
  expect(body).toMatchObject({ variables: [{ key: "TIER", value: "gold" }] });
  expect(await run("state", "list")).toMatchObject({ code: 0, stdout: "variables/TIER" });
  expect((await run("state", "list", "groups/*")).stderr).toContain("stack dev manages no object groups/*");
  expect(await run("stack", "init", "eu")).toMatchObject({ code: 0 });
  expect((await run("stack", "ls")).stdout).toMatch(/eu\*/);
});

it("the state shows what a stack manages, without its secrets and without the service", async () => {
  const emulator = await emulatorForTests();
  const cwd = temporaryFolder();
  const env = isolated(temporaryFolder(), { ...connected(emulator), WORKSPACE_VAR_T: "hush-4dm1r4l-owl" });
  writeFileSync(
    join(cwd, "workspace.yaml"),
    `version: 1
workspace: acme
variables:
  TOKEN: { value: "\${secret:env:T}", encrypted: true }
projects:
  web: { displayName: Web }
`,
  );
  const run = (...argv: string[]) => workspacectl(argv, cwd, env);
  expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
  await emulator.close();
  expect((await run("state", "list", "--json")).stdout).toContain('"type": "Project"');
  const shown = await run("state", "show", "variables/TOKEN");
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('value: "[secret]"') as string });
  expect(shown.stdout).not.toContain("hush");
  const address = /^projects\/web\.httpRepository {2}(http:\S+\/acme\/web\.git)$/m;
  const [, repository] = address.exec((await run("output")).stdout) ?? [];
  expect((await run("output", "projects/web.httpRepository")).stdout).toBe(repository);
  expect((await run("output", "projects/web.displayName")).stdout).toBe("Web");
  expect((await run("output", "variables/TOKEN.value", "--json")).stdout).toBe('{\n  "$secret": true\n}');
  const wrong = await run("output", "projects/web.httpRepo");
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stack dev has no output") as string,
  });
});

it("the settings of a stack stay as somebody wrote them, but for the salt and what is set", async () => {
  const emulator = await emulatorForTests();
  const cwd = temporaryFolder();
  const env = isolated(temporaryFolder(), { ...connected(emulator), ...stateIn(cwd) });
  const settings = join(cwd, "Pulumi.dev.yaml");
  const project = "name: shop\nruntime: nodejs\nconfig:\n  size:\n    type: integer\n    default: 3\n";
  const own = `config:
  # how many copies run
  replicas: 3
  release: 1.10
  account: 12345678901234567890
  shop:script: "\\nWelcome\\n"
`;
  writeFileSync(join(cwd, "Pulumi.yaml"), project);
  writeFileSync(settings, own);
  const value = (key: string) => `  ${key.toUpperCase()}: "\${config:${key}}"\n`;
  const names = ["replicas", "account", "script", "size"];
  writeFileSync(
    join(cwd, "workspace.yaml"),
    `version: 1\nworkspace: acme\nvariables:\n${names.map(value).join("")}`,
  );
  const run = (...argv: string[]) => workspacectl([...argv, "--stack", "dev"], cwd, env);

  expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/variables" });
  const sent = (body as { variables: { value: string }[] }).variables.map((one) => one.value);
  expect(sent.toSorted()).toEqual(["\nWelcome\n", "12345678901234567890", "3", "3"]);
  const salted = readFileSync(settings, "utf8");
  expect(salted.replace(/^encryptionsalt: \S+\n$/m, "")).toBe(own);
  expect(salted).not.toBe(own);

  // An edit of the file, or of a default, counts.
  writeFileSync(settings, salted.replace("replicas: 3", "replicas: 5"));
  writeFileSync(join(cwd, "Pulumi.yaml"), project.replace("default: 3", "default: 4"));
  expect((await run("preview")).stdout).toContain("2 to update");
  expect(await run("config", "set", "replicas", "6")).toMatchObject({ code: 0 });
  expect(readFileSync(settings, "utf8")).toBe(salted.replace("replicas: 3", 'replicas: "6"'));
});
