/** Tests that an existing workspace is taken over in one command, which continues where it stopped. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
