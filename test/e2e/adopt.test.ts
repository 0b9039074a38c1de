/** Tests that an existing workspace is taken over in one command, which continues where it stopped. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { expect, it } from "vitest";
import { emulatorForTests, isolated, repository, temporaryFolder, workspacectl } from "./support.js";

it("takes over a workspace step by step, and omits what is done", async () => {
  const emulator = await emulatorForTests({ seed: join(repository, "examples/first-day/made-by-hand.yaml") });
  const folder = temporaryFolder();
  const env = isolated(folder, {
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: "olgas-token",
  });
  const adopt = (more: NodeJS.ProcessEnv = {}) =>
    workspacectl(["adopt", "--stack", "us"], folder, { ...env, ...more });
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), "utf8")));

  const people = await adopt();
  expect(people.code, people.stderr).toBe(10);
  expect(people.stderr).toContain("Fill in the addresses of 2 members in people.yaml, and run adopt again");
  edit("people.yaml", (text) =>
    text.replace("4: # Bob", "4: bob@example.com").replace("5: # Carla", "5: carla@example.com"),
  );

  const values = await adopt();
  expect(values.code, values.stderr).toBe(10);
  expect(values.stderr).toContain("WORKSPACE_VAR_REGISTRY_TOKEN  variables/REGISTRY_TOKEN: value");
  expect(values.stderr).toContain("Complete workspace.yaml, or set the variables, then run adopt again");

  const same = await adopt();
  expect(same.code, same.stderr).toBe(10);
  expect(same.stderr).toContain("WORKSPACE_VAR_REGISTRY_TOKEN is not set");

  const token = {
    WORKSPACE_VAR_REGISTRY_TOKEN: "the-token-of-the-registry",
    WORKSPACE_VAR_WEB_NIGHTLY_CRON: "0 2 * * *",
  };
  const done = await adopt(token);
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toContain("Skipped: workspace.yaml exists");
  expect(done.stdout).toContain("Imported: 18 objects");
  expect(done.stdout).toContain("No changes: 18 objects as declared");

  const again = await adopt(token);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain("Nothing to import");
  expect(again.stderr).not.toContain("has by now");

  edit("people.yaml", (text) => text.replace("5: carla@example.com", "5: cleo@example.com"));
  expect((await adopt(token)).stderr).toContain(
    'To declare members whose addresses people.yaml has by now: "workspacectl export -o workspace.yaml --people people.yaml"',
  );
  edit("people.yaml", (text) => text.replace("5: cleo@example.com", "5: carla@example.com"));

  edit("workspace.yaml", (text) => text.replace("Who tests before a release", "Testers"));
  const differs = await adopt(token);
  expect(differs.code, differs.stderr).toBe(7);
  expect(differs.stderr).toContain("workspace.yaml and the workspace differ");
  expect(emulator.journal.writes()).toEqual([]);
});

it("the next shell and a clone find the state that adopt has recorded", async () => {
  const emulator = await emulatorForTests();
  const [folder, home, colleague] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const service = {
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
  };
  const [shell, others] = [isolated(home, service), isolated(colleague, service)];
  const place = pathToFileURL(join(home, "state")).href;
  mkdirSync(join(home, "state"));
  const adopted = await workspacectl(["adopt", "--stack", "us"], folder, {
    ...shell,
    PULUMI_BACKEND_URL: place,
  });
  expect(adopted.code, adopted.stderr).toBe(0);
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe(
    `name: acme\nruntime: nodejs\nbackend:\n  url: ${place}\n`,
  );

  const morning = await workspacectl(["preview"], folder, shell);
  expect(morning.code, morning.stderr).toBe(0);
  expect(morning.stdout).toMatch(/^No changes: \d+ objects? as declared/);

  const clone = join(colleague, "clone");
  cpSync(folder, clone, { recursive: true });
  const login = ["pulumi", "--", "login", place];
  const refused = await workspacectl(["preview"], clone, others);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`"workspacectl ${login.join(" ")}"`) as string,
  });
  const loggedIn = await workspacectl(login, clone, others);
  expect(loggedIn.code, loggedIn.stderr).toBe(0);
  const same = await workspacectl(["preview"], clone, others);
  expect(same.stdout, same.stderr).toMatch(/^No changes: /);

  const elsewhere = temporaryFolder();
  cpSync(join(folder, "workspace.yaml"), join(elsewhere, "workspace.yaml"));
  const init = ["stack", "init", "eu"];
  expect(await workspacectl(init, elsewhere, { ...shell, PULUMI_BACKEND_URL: place })).toMatchObject({
    code: 0,
  });
  const lost = await workspacectl(["state", "list", "-s", "eu"], elsewhere, shell);
  expect(lost.stderr).toContain(
    `You have used stack eu with the state in ${place}: set PULUMI_BACKEND_URL to ${place}`,
  );
});

it("an address that was set after the export is recorded, with the project that has the state", async () => {
  const emulator = await emulatorForTests();
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const shell = isolated(home, {
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
  });
  const place = pathToFileURL(join(home, "state")).href;
  mkdirSync(join(home, "state"));
  writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\nvariables: {}\n");
  const there = { ...shell, PULUMI_BACKEND_URL: place };
  expect((await workspacectl(["stack", "init", "us"], folder, there)).code).toBe(0);

  const plan = await workspacectl(["preview", "--stack", "us"], folder, shell);
  expect(plan.stderr.replace(/\s+/g, " ")).toContain(
    `To use that state, set PULUMI_BACKEND_URL to ${place}, and create Pulumi.yaml with the lines ` +
      `\`name: workspace-automation\`, \`runtime: nodejs\`, \`backend: { url: "${place}" }\`.`,
  );
  writeFileSync(join(folder, "Pulumi.yaml"), `name: acme\nruntime: nodejs\nbackend: { url: "${place}" }\n`);
  const renamed = await workspacectl(["state", "list", "--stack", "us"], folder, there);
  expect(renamed.stderr).toContain("write into Pulumi.yaml `name: workspace-automation`; or ");
  rmSync(join(folder, "Pulumi.yaml"));

  const adopted = await workspacectl(["adopt", "--stack", "us"], folder, there);
  expect(adopted.code, adopted.stderr).toBe(0);
  expect(adopted.stderr).toContain("Pulumi.yaml says where the state is. Commit it, too.");
  expect(adopted.stderr).not.toContain("is new");
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe(
    `name: workspace-automation\nruntime: nodejs\nbackend:\n  url: ${place}\n`,
  );
});

it("a clone makes no second state for a workspace that somebody has adopted", async () => {
  const emulator = await emulatorForTests();
  const [folder, home, clone] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const env = isolated(home, {
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: emulator.token,
  });
  const adopted = await workspacectl(["adopt", "--stack", "us"], folder, env);
  expect(adopted.code, adopted.stderr).toBe(0);
  expect(adopted.stdout).toContain(
    "Commit workspace.yaml, keep a copy of .pulumi-state/, which only this machine has, and change",
  );
  const git = (cwd: string, ...words: string[]) =>
    execa("git", ["-c", "user.name=Olga", "-c", "user.email=olga@example.com", ...words], { cwd });
  await git(folder, "init", "--quiet");
  await git(folder, "add", "workspace.yaml");
  await git(folder, "commit", "--quiet", "-m", "Adopt the workspace");
  await git(clone, "clone", "--quiet", folder, ".");

  for (const command of [["import", "--create-stack"], ["adopt"]]) {
    const refused = await workspacectl(command, clone, env);
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr.replace(/\s+/g, " ")).toMatch(
      /names stack us, and was last committed by Olga on \d{4}-\d\d-\d\d, but .* run "workspacectl import --create-stack us"/,
    );
  }
  expect(existsSync(join(clone, ".pulumi-state"))).toBe(false);
  const meant = await workspacectl(["import", "--create-stack", "us"], clone, env);
  expect(meant.code, meant.stderr).toBe(0);
});
