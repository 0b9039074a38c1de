/** Tests that every problem with the connection leads to one clear error with a remedy, exit code 1 and no writes. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  isolated,
  quickstart,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
let emulator: Emulator;
let file: string;

beforeAll(async () => {
  emulator = await emulatorForTests({
    seed: {
      users: [{ email: "owner@example.com", tokens: [{}] }, { email: "dev@example.com" }],
      workspaces: [{ domain: "acme", members: [{ email: "dev@example.com" }] }],
    },
  });
  file = quickstart(folder);
});

async function up(more: NodeJS.ProcessEnv = {}, ...argv: string[]) {
  const env = isolated(folder, { ...connected(emulator), ...more });
  const { code, stdout, stderr } = await workspacectl(
    ["up", "--create-stack", "--yes", "-f", file, ...argv],
    folder,
    env,
  );
  return { code, stdout, error: stderr.replaceAll(emulator.baseUrl, "<address>") };
}

describe("workspacectl up fails", () => {
  afterEach(() => {
    expect(emulator.journal.writes()).toEqual([]);
    expect(existsSync(join(folder, ".pulumi-state"))).toBe(false);
  });

  it("without a token", async () => {
    const { code, stdout, error } = await up({ WORKSPACE_AUTOMATION_TOKEN: "" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(error).toContain("error: no token for the Workspace Automation Service is set");
    expect(error).toContain("set WORKSPACE_AUTOMATION_TOKEN=... in the environment");
    expect(error.split("\n")).toHaveLength(1);
  });

  it("without an address", async () => {
    const { code, error } = await up({ WORKSPACE_AUTOMATION_BASE_URL: "" });
    expect(code).toBe(1);
    expect(error).toContain("error: no base address for the Workspace Automation Service is set");
  });

  it("with an invalid token", async () => {
    expect(await up({ WORKSPACE_AUTOMATION_TOKEN: "wrong" })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "error": "error: workspace acme at <address> cannot be used: GET /workspaces/acme: 401 The access token is not valid. The token is missing, wrong, expired or revoked: get a new one from this service, and log in with it (workspacectl login), or set it where the old one is set. The request used the token in WORKSPACE_AUTOMATION_TOKEN.",
        "stdout": "",
      }
    `);
  });

  it("with an unreachable host", async () => {
    expect(await up({ WORKSPACE_AUTOMATION_BASE_URL: "http://127.0.0.1:9" })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "error": "error: workspace acme at http://127.0.0.1:9 cannot be used: GET /workspaces/acme/members: cannot reach http://127.0.0.1:9: connection refused (ECONNREFUSED). Check the base address, the network and the proxy settings. The base address is http://127.0.0.1:9 (from WORKSPACE_AUTOMATION_BASE_URL).",
        "stdout": "",
      }
    `);
  });

  it("over plain HTTP to another machine", async () => {
    const { code, error } = await up({ WORKSPACE_AUTOMATION_BASE_URL: "http://ci.example.com/api" });
    expect(code).toBe(1);
    expect(error).toContain("would send the token without encryption. Use https://");
  });

  it("with the API disabled", async () => {
    await emulator.setApiEnabled("acme", false);
    expect(await up()).toMatchInlineSnapshot(`
      {
        "code": 1,
        "error": "error: workspace acme at <address> cannot be used: GET /workspaces/acme: 400 API is disabled in this workspace. A workspace administrator can enable it in the workspace's settings (Developer API section).",
        "stdout": "",
      }
    `);
    await emulator.setApiEnabled("acme", true);
  });

  it("with a token that lacks a scope", async () => {
    const token = await emulator.createToken({ scopes: ["USER_INFO"] });
    expect(await up({ WORKSPACE_AUTOMATION_TOKEN: token })).toMatchInlineSnapshot(`
      {
        "code": 1,
        "error": "error: workspace acme at <address> cannot be used: GET /workspaces/acme: 403 Access denied: the token lacks the scope WORKSPACE. This requires a token with the scope WORKSPACE: use such a token. The request used the token in WORKSPACE_AUTOMATION_TOKEN.",
        "stdout": "",
      }
    `);
    const without = await emulator.createToken({ scopes: ["WORKSPACE"] });
    const { code, error } = await up({ WORKSPACE_AUTOMATION_TOKEN: without });
    expect(code).toBe(1);
    expect(error).toContain("the token lacks the scope VARIABLE_INFO");
  });

  it("for a user who is not an administrator", async () => {
    const token = await emulator.createToken({ user: "dev@example.com" });
    const { code, error } = await up({ WORKSPACE_AUTOMATION_TOKEN: token });
    const [, ...errors] = error.split("\n"); // after the line about the state
    expect({ code, errors }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "errors": [
          "error: workspace acme at <address> cannot be used: GET /workspaces/acme/permissions: 403 Access denied: this is allowed to workspace administrators only. This requires a token with the scope WORKSPACE and the rights of a workspace administrator: use such a token. The request used the token in WORKSPACE_AUTOMATION_TOKEN.",
        ],
      }
    `);
  });

  it("for an unknown workspace", async () => {
    const text = readFileSync(file, "utf8").replace("workspace: acme", "workspace: acne");
    writeFileSync(join(folder, "other.yaml"), text);
    expect(await up({}, "-f", join(folder, "other.yaml"))).toMatchInlineSnapshot(`
      {
        "code": 1,
        "error": "error: workspace acne at <address> cannot be used: there is no workspace acne for this token: it sees acme. Choose one of these with --workspace, or log in as another user",
        "stdout": "",
      }
    `);
  });

  it("with an invalid file", async () => {
    const { code, error } = await up({ WORKSPACE_VAR_DEPLOY_TOKEN: undefined });
    expect(code).toBe(1);
    expect(error).toMatch(/workspace\.yaml:\d+:\d+: WORKSPACE_VAR_DEPLOY_TOKEN is not set/);
  });
});

describe("workspacectl with a valid connection", () => {
  it("requires a passphrase without a terminal", async () => {
    const { code, stdout, error } = await up({ PULUMI_CONFIG_PASSPHRASE: undefined });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(error).toContain("set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("requires the passphrase of the stack", async () => {
    const env = isolated(folder, connected(emulator));
    const init = ["pulumi", "--", "stack", "init", "dev"];
    expect(await workspacectl(init, folder, env)).toMatchObject({ code: 0 });
    const { code, error } = await up({ PULUMI_CONFIG_PASSPHRASE: "another" });
    expect(code).toBe(1);
    expect(error).toContain("the passphrase is not the one that this stack was created with");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("does not destroy a missing stack", async () => {
    const env = isolated(folder, connected(emulator));
    const { code, stderr } = await workspacectl(["destroy", "--yes", "-s", "nope", "-f", file], folder, env);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "stack nope (named with --stack) does not exist yet; project workspace-automation",
    );
  });
});
