/** Secrets that are in no state: the state contains references, and the provider reads the secret when it sends it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Ended, type Setup, setUp, workspacectl } from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

const count = 25;
const numbers = Array.from({ length: count }, (_, index) => index + 1);
const planted = Object.fromEntries(numbers.map((n) => [`PLANTED_${n}`, `planted-secret-${n}`]));

/** @param from the placeholder of the variables */
function file(from: "env" | "secret:env"): string {
  return `version: 1
workspace: acme
variables:
  TOKEN: { value: declared, encrypted: true }
${numbers.map((n) => `  VARIABLE_${n}: { value: "\${${from}:PLANTED_${n}}", encrypted: true }`).join("\n")}
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - name: Step
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: ["publish \${${from}:COMMAND_TOKEN} \${secret:file:key.txt}", "echo $\${HOME}"]
          - name: Ping
            type: PING
            triggerTime: ON_EVERY_EXECUTION
            destination: "\${${from}:HOST}.example.com"
          - name: Hook
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            notificationUrl: https://hooks.example.com/
            headers: [{ name: X-Plain, value: "$\${literal}" }, { name: Authorization, value: "Bearer \${${from}:HEADER}" }]
            login: bot
            password: "\${secret:config:password}"
`;
}

const secrets: Record<string, string> = {
  ...planted,
  COMMAND_TOKEN: "planted-secret-command",
  HOST: "planted-secret-host",
  HEADER: "planted-secret-header",
};
let setup: Setup;

beforeAll(async () => {
  setup = await setUp(file("env"));
  writeFileSync(join(setup.folder, "key.txt"), "planted-secret-file");
});

function run(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Ended> {
  const given = Object.entries(env).map(([name, value]) => [`WORKSPACE_VAR_${name}`, value]);
  return workspacectl(argv, setup.folder, {
    ...setup.env,
    ...(Object.fromEntries(given) as NodeJS.ProcessEnv),
  });
}

async function succeed(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(env, ...argv);
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout + stderr;
}

async function decrypted(): Promise<string> {
  return succeed({}, "pulumi", "--", "stack", "export", "--show-secrets", "--stack", "dev");
}

const hits = (text: string) => [...new Set(text.match(/planted-secret-\w+/g) ?? [])];

describe.sequential("a secret", () => {
  it("that a stack already contains is replaced by its reference without a request that writes", async () => {
    await succeed({}, "pulumi", "--", "stack", "init", "dev");
    // Pulumi itself stores the configuration in the state.
    await succeed({}, "config", "set", "password", "of the configuration");
    await succeed(secrets, "up", "--yes");
    expect(hits(await decrypted()).length).toBeGreaterThan(count);

    writeFileSync(join(setup.folder, "workspace.yaml"), file("secret:env"));
    setup.emulator.journal.clear();
    expect(await succeed(secrets, "preview")).toContain("No changes");
    await succeed(secrets, "up", "--yes");
    await succeed(secrets, "refresh");
    expect(setup.emulator.journal.writes()).toEqual([]);
    expect(hits(await decrypted())).toEqual([]);
    expect(await succeed(secrets, "drift")).toContain("No drift: ");
  });

  it("cannot be compared without its value, and does not count as changed", async () => {
    const previewed = await succeed({}, "preview");
    expect(previewed).toContain("No changes");
    expect(previewed).toContain(
      "executeCommands cannot be compared, because WORKSPACE_VAR_COMMAND_TOKEN is not set",
    );
    const { code, stdout } = await run({}, "drift", "--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: "clean", counts: { changed: 0, pending: 0 } });
    expect(stdout).toContain("executeCommands cannot be compared");
    expect(hits(previewed + stdout)).toEqual([]);
  });

  it("that changed is sent, and no other", async () => {
    setup.emulator.journal.clear();
    const rotated = { ...secrets, COMMAND_TOKEN: "planted-secret-rotated" };
    const said = await succeed(rotated, "up", "--yes");
    expect(said).toContain("Done: 0 created, 1 updated");
    expect(setup.emulator.journal.writes()).toHaveLength(1);
    const { pipelines } = await setup.get<{ pipelines: { id: number }[] }>("/projects/web/pipelines");
    const actions = await setup.get(`/projects/web/pipelines/${pipelines[0]!.id}/actions`);
    expect(JSON.stringify(actions)).toContain("publish planted-secret-rotated planted-secret-file");
    expect(JSON.stringify(actions)).toContain("echo $${HOME}");
    expect(hits(said + (await decrypted()))).toEqual([]);
    expect(await succeed(rotated, "preview")).toContain("No changes");
    await succeed(secrets, "up", "--yes");
  });

  it("is needed to create an object that refers to it", async () => {
    const more = `${file("secret:env")}groups: { QA: { description: "\${secret:env:ABSENT}" } }\n`;
    writeFileSync(join(setup.folder, "workspace.yaml"), more);
    const { code, stdout, stderr } = await run(secrets, "up", "--yes");
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(
      "nothing was changed, because a secret is missing: groups/QA: WORKSPACE_VAR_ABSENT is not set",
    );
    await succeed({ ...secrets, ABSENT: "planted-secret-present" }, "up", "--yes");
    expect(hits(await decrypted())).toEqual([]);
  });

  it("that somebody changed outside is drift, with and without its value", async () => {
    const { groups } = await setup.get<{ groups: { id: number; name: string }[] }>("/groups");
    const group = groups.find(({ name }) => name === "QA");
    await setup.edit("PATCH", `/groups/${String(group?.id)}`, { description: "planted-secret-by-hand" });
    const all = { ...secrets, ABSENT: "planted-secret-present" };
    const found = await run(all, "drift", "--format", "json");
    expect(found.code).toBe(7);
    expect(JSON.parse(found.stdout)).toMatchObject({ counts: { changed: 1, pending: 0 } });
    expect(hits(found.stdout)).toEqual([]);
    expect(await succeed(all, "up", "--yes")).toContain("Done: 0 created, 1 updated");
    expect(hits(await decrypted())).toEqual([]);
  });

  it("that the state contains and somebody changed outside is set again", async () => {
    const all = { ...secrets, ABSENT: "planted-secret-present" };
    const { variables } = await setup.get<{ variables: { id: number; key: string }[] }>("/variables");
    const id = variables.find(({ key }) => key === "TOKEN")?.id;
    const byHand = { key: "TOKEN", value: "by hand", encrypted: true };
    await setup.edit("PATCH", `/variables/${String(id)}`, byHand);
    expect(await succeed(all, "up", "--yes")).toContain("Done: 0 created, 1 updated");
    expect(await succeed(all, "drift")).toContain("No drift: ");

    // The change of another property must not hide it.
    await setup.edit("PATCH", `/variables/${String(id)}`, byHand);
    const described = file("secret:env").replace("encrypted: true }", "encrypted: true, description: new }");
    writeFileSync(join(setup.folder, "workspace.yaml"), described);
    expect(await succeed(all, "up", "--yes", "--allow-delete", "groups/QA")).toContain("1 updated");
    expect(await succeed(all, "drift")).toContain("No drift: ");
  });
});
