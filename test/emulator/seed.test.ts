/** Tests emulator/seed.ts. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Clock, SeedError, startEmulator } from "../../emulator/index.js";
import { make, start, ws } from "./support.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "emulator-test-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function problems(content: string): Promise<string> {
  const path = join(directory, "seed.yaml");
  await writeFile(path, content);
  const error: unknown = await startEmulator({ seed: path }).then(
    (emulator) => emulator.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SeedError)) throw new Error(`no SeedError but ${String(error)}`);
  return error.message.replaceAll(path, "SEED");
}

describe("a seed", () => {
  test("creates users with tokens, workspaces and everything in them", async () => {
    const path = join(directory, "seed.yaml");
    await writeFile(
      path,
      `
users:
  - { email: olga@example.com, name: Olga, tokens: [{ token: olgas-token }], integrations: [{ name: chat, type: CHAT }] }
  - { email: bob@example.com, name: Bob, tokens: [{ token: bobs-token, scopes: [WORKSPACE] }] }
workspaces:
  - domain: acme
    members: [{ email: bob@example.com }]
    groups: [{ name: QA, description: Testers, members: [bob@example.com] }]
    permission_sets:
      - { name: ops, description: Ops, repository_access_level: READ_ONLY, pipeline_access_level: RUN_ONLY }
    variables: [{ key: REGION, value: eu }]
    projects:
      - name: web
        display_name: Web
        members: [{ email: bob@example.com, permission_set: ops }]
        variables: [{ key: SECRET, value: hush, encrypted: true }]
        pipelines:
          - name: deploy
            ref_name: main
            trigger_mode: MANUAL
            pipeline_variables: [{ key: TIER, value: "1" }]
            actions:
              - { name: Ping, type: PING, trigger_time: ON_EVERY_EXECUTION, destination: example.com, action_variables: [{ key: CI, value: "1" }] }
`,
    );
    const { emulator, call } = await start({ seed: path });
    expect(emulator.token).toBe("olgas-token");
    expect((await make(call, "GET", `${ws}/groups`)).groups.map(({ name }) => name)).toEqual(["QA"]);
    const [pipeline] = (await make(call, "GET", `${ws}/projects/web/pipelines`)).pipelines;
    const { actions } = await make(call, "GET", `${ws}/projects/web/pipelines/${pipeline.id}`);
    expect(actions[0].name).toBe("Ping");
    const { variables } = await make(call, "GET", `${ws}/variables?actionId=${actions[0].id}`);
    expect(variables.map(({ key }) => key)).toEqual(["CI"]);
    const { members } = await make(call, "GET", `${ws}/projects/web/members`);
    expect(members[0].permission_set.name).toBe("ops");
  });

  test("with errors is refused with each error and its path", async () => {
    expect(await problems("users: [{ email: nonsense }]\nworkspaces: [{ domain: acme, color: red }]")).toBe(
      [
        "SEED is not a valid seed:",
        "  users[0].email: must be an e-mail address",
        '  workspaces[0]: Unrecognized key: "color"',
        "Correct these values.",
      ].join("\n"),
    );
    expect(await problems("users: [")).toContain("SEED is neither YAML nor JSON");
    expect(await problems("[]")).toContain("(top)");
  });

  test("that violates a rule of the service is refused with the error and the path", async () => {
    const users = "users: [{ email: o@example.com }]\n";
    const project = (pipeline: string) =>
      problems(`${users}workspaces: [{ domain: acme, projects: [{ name: web, pipelines: [${pipeline}] }] }]`);
    expect(await project("{ name: p, ref_name: main, trigger_mode: SCHEDULED }")).toBe(
      "The seed cannot be applied: workspaces[0].projects[0].pipelines[0]: Value of 'start_date' cannot be empty.\nCorrect this value.",
    );
    expect(
      await problems(
        `${users}workspaces: [{ domain: acme, groups: [{ name: g, members: [x@example.com] }] }]`,
      ),
    ).toBe("The seed cannot be applied: workspaces[0]: there is no user x@example.com\nCorrect this value.");
    await expect(startEmulator({ seed: join(directory, "none.yaml") })).rejects.toThrow(
      "Cannot read the seed",
    );
  });
});

describe("a data directory", () => {
  test("retains objects, tokens and ids across a restart", async () => {
    const first = await startEmulator({ dataDir: directory });
    const group = await first.edit({ method: "POST", path: `${ws}/groups`, body: { name: "QA" } });
    const gone = await first.edit({ method: "POST", path: `${ws}/groups`, body: { name: "gone" } });
    const idOf = (response: { body: unknown }) => (response.body as { id: number }).id;
    await first.edit({ method: "DELETE", path: `${ws}/groups/${idOf(gone)}` });
    await first.close();
    const { emulator, call } = await start({ dataDir: directory });
    expect(emulator.token).toBe(first.token);
    expect((await make(call, "GET", `${ws}/groups`)).groups.map(({ id }) => id)).toEqual([idOf(group)]);
    // The id of a deleted object is never reused.
    expect((await make(call, "POST", `${ws}/groups`, { name: "new" })).id).toBeGreaterThan(idOf(gone));
  });

  test("lets interrupted runs and schedules continue", async () => {
    const at = (time: string) => new Clock({ start: new Date(`2030-01-01T${time}Z`), frozen: true });
    const pipelines = `${ws}/projects/web/pipelines`;
    const first = await start({ dataDir: directory, clock: at("00:00:00") });
    await make(first.call, "POST", `${ws}/projects`, { name: "web" });
    const { id } = await make(first.call, "POST", pipelines, {
      name: "p",
      ref_name: "main",
      trigger_mode: "SCHEDULED",
      cron: "0 3 * * *",
    });
    const runs = `${pipelines}/${id}/executions`;
    const run = await make(first.call, "POST", runs, { to_revision: { revision: "HEAD" } });
    await first.emulator.close();
    const { emulator, call } = await start({ dataDir: directory, clock: at("02:00:00") });
    expect((await make(call, "GET", `${runs}/${run.id}`)).status).toBe("INPROGRESS");
    await emulator.clock.advance(1);
    expect((await make(call, "GET", `${runs}/${run.id}`)).status).toBe("SUCCESSFUL");
    await emulator.clock.advance(3600_000);
    expect((await make(call, "GET", runs)).executions.map(({ mode }) => mode)).toEqual([
      "SCHEDULED",
      "MANUAL",
    ]);
  });

  test("is refused while another emulator uses it", async () => {
    await start({ dataDir: directory });
    await expect(startEmulator({ dataDir: directory })).rejects.toThrow(
      /Cannot open the emulator's data.*in use/,
    );
  });

  test("contains no secret in plaintext", async () => {
    const { emulator, call } = await start({ dataDir: directory });
    await make(call, "POST", `${ws}/variables`, { key: "S", value: "hush-variable", encrypted: true });
    await make(call, "POST", `${ws}/projects`, {
      name: "own",
      custom_repo_url: "https://example.com/x.git",
      custom_repo_user: "u",
      custom_repo_pass: "hush-repository",
    });
    const { id } = await make(call, "POST", `${ws}/projects/own/pipelines`, {
      name: "p",
      ref_name: "main",
      trigger_mode: "MANUAL",
    });
    await make(call, "POST", `${ws}/projects/own/pipelines/${id}/actions`, {
      name: "h",
      type: "HTTP",
      trigger_time: "ON_EVERY_EXECUTION",
      notification_url: "https://example.com",
      password: "hush-action",
    });
    const { token } = emulator;
    await emulator.close();
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), "latin1")),
    );
    const all = contents.join("\n");
    // Proves that the database is readable enough for this check.
    expect(all).toContain("notification_url");
    for (const secret of ["hush-variable", "hush-repository", "hush-action", token])
      expect(all).not.toContain(secret);
  });
});
