/** Tests examples/us-eu with two services on the real engine: one file, two stacks, and their comparison. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const service = (domain: string, integration: string) =>
  emulatorForTests({
    echoMemberEmail: true,
    strictBodies: true,
    seed: {
      users: [
        {
          email: "owner@example.com",
          integrations: [{ name: integration, type: "CHAT" }],
          tokens: [{ token: `token-of-${domain}-in-clear` }],
        },
      ],
      workspaces: [{ domain }],
    },
  });

const connection = (name: string, { baseUrl, token, workspace }: Emulator): NodeJS.ProcessEnv => ({
  [`WORKSPACE_AUTOMATION_${name}_BASE_URL`]: baseUrl,
  [`WORKSPACE_AUTOMATION_${name}_TOKEN`]: token,
  [`WORKSPACE_AUTOMATION_${name}_DOMAIN`]: workspace,
});

async function listed(emulator: Emulator, path: string): Promise<{ id: number }[]> {
  const { body } = await emulator.edit({ method: "GET", path });
  return (body as { pipelines: { id: number }[] }).pipelines;
}

/** Returns the texts of all files in a folder. */
function everything(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).join("\n");
}

describe("examples/us-eu", { timeout: 300_000 }, () => {
  const folder = temporaryFolder();
  const code = join(folder, "code");
  let [us, eu]: [Emulator, Emulator] = [undefined!, undefined!];
  let env: NodeJS.ProcessEnv = {};
  const types = (...argv: string[]) => workspacectl(argv, code, env);

  beforeAll(async () => {
    us = await service("acme", "chat-main");
    eu = await service("acme-eu", "chat-eu");
    const { WORKSPACE_VAR_DEPLOY_TOKEN: _none, ...rest } = isolated(folder, stateIn(folder));
    env = { ...rest, ...connection("US", us), ...connection("EU", eu) };
    cpSync(join(repository, "examples/us-eu"), code, { recursive: true });
    for (const stack of ["us", "eu"]) {
      expect(await pulumi(["stack", "init", stack], code, env)).toMatchObject({ code: 0 });
      const secret = [
        "config",
        "set",
        "--stack",
        stack,
        "--secret",
        "deployToken",
        `token-of-${stack}-in-clear`,
      ];
      expect(await pulumi(secret, code, env)).toMatchObject({ code: 0 });
    }
    expect(await types("up", "--stack", "us", "--yes", "--create-stack")).toMatchObject({ code: 0 });
    us.journal.clear();
  }, 300_000);

  it("is replicated to the other region by one command, with its overlay", async () => {
    const overlay = readFileSync(join(code, "workspace.eu.yaml"), "utf8");
    const looked = await types("replicate", "--from", "us", "--to", "eu");
    expect(looked).toMatchObject({ code: 0 });
    expect(looked.stderr).toContain("There is no terminal for a prompt: add --yes to continue");

    const body = { name: "On call", description: "Made by hand" };
    await eu.edit({ method: "POST", path: "/workspaces/acme-eu/groups", body });
    eu.journal.clear();
    const refused = await types("replicate", "--from", "us", "--to", "eu", "--yes");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(
      "1 object already exists in eu, but this stack does not manage them; nothing was written:\n  groups/On call",
    );
    expect(eu.journal.writes()).toEqual([]);

    const replicated = await types("replicate", "--from", "us", "--to", "eu", "--adopt", "--yes");
    expect(replicated).toMatchObject({ code: 0 });
    expect(replicated.stdout).toContain("workspace.eu.yaml is unchanged");
    expect(replicated.stdout).toMatch(/Done: \d+ created/);
    expect(readFileSync(join(code, "workspace.eu.yaml"), "utf8")).toBe(overlay);
    expect(us.journal.writes()).toEqual([]);
    expect(everything(folder)).not.toContain("in-clear");
  });

  it("is compared, with only expected differences until a manual change", async () => {
    const alike = await types("compare", "us", "eu");
    expect(alike).toMatchObject({ code: 0, stderr: "" });
    expect(alike.stdout).toMatch(/No difference: .*9 ignored/);
    const [first] = await listed(eu, "/workspaces/acme-eu/projects/shop/pipelines");
    const path = `/workspaces/acme-eu/projects/shop/pipelines/${first?.id}`;
    await eu.edit({ method: "PATCH", path, body: { ref_name: "release" } });
    const differs = await types("compare", "us", "eu");
    expect(differs).toMatchObject({ code: 7 });
    expect(differs.stdout).toContain("refName");
  });

  it("can be replicated without a file, which is exported first", async () => {
    const other = await service("acme-ap", "chat-ap");
    const empty = join(folder, "empty");
    mkdirSync(empty);
    writeFileSync(
      join(empty, "replicate-mapping.yaml"),
      "version: 1\nintegrations: { chat-main: chat-ap }\n",
    );
    const there = { ...env, ...connection("AP", other) };
    const words = ["replicate", "--from", "us", "--to", "ap", "--kinds", "variables,projects", "--yes"];
    const asked = await workspacectl(words, empty, there);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.stderr).toContain("WORKSPACE_VAR_DEPLOY_TOKEN is not set");
    expect(readdirSync(empty)).toEqual(["replicate-mapping.yaml"]);

    const given = { ...there, WORKSPACE_VAR_DEPLOY_TOKEN: "token-of-ap-in-clear" };
    const done = await workspacectl(words, empty, given);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr).toContain("Written: workspace.yaml, workspace.ap.yaml");
    const again = await workspacectl(words, empty, given);
    expect(again.stdout).toContain("workspace.ap.yaml is unchanged");
    expect(again.stdout).toContain("No changes");
    expect(us.journal.writes()).toEqual([]);
    const { body } = await other.edit({ method: "GET", path: "/workspaces/acme-ap/projects" });
    expect(body).toMatchObject({ projects: [{ name: "shop" }] });
    expect(everything(folder)).not.toContain("in-clear");
  });
});
