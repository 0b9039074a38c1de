/**
 * Tests that an OAuth login is sufficient for a whole run on the real engine, in which this process and the provider
 * share and renew its tokens.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emulatorForTests, isolated, stateIn, temporaryFolder, workspacectl } from "./support.js";

it("applies a workspace with expired tokens, and prints each request with --debug", async () => {
  const emulator = await emulatorForTests({
    seed: {
      users: [{ email: "owner@example.com", name: "Olga Owner", tokens: [{}] }],
      workspaces: [{ domain: "acme" }],
      oauth_clients: [{ client_id: "ci", client_secret: "ci-s3cr3t" }],
    },
  });
  const folder = temporaryFolder();
  const file = join(temporaryFolder(), "credentials.json");
  const env = isolated(folder, {
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_CREDENTIALS: file,
    WORKSPACE_AUTOMATION_CLIENT_SECRET: "ci-s3cr3t",
  });
  writeFileSync(join(folder, "workspace.yaml"), "version: 1\nconnection: us\ngroups:\n  QA: {}\n");
  const command = (...argv: string[]) => workspacectl(argv, folder, env);

  const login = [
    "login",
    "-c",
    "us",
    "--base-url",
    emulator.baseUrl,
    "--client-id",
    "ci",
    "--client-credentials",
  ];
  expect(await command(...login)).toMatchObject({ code: 0 });
  await emulator.clock.advance(2 * 3600_000);

  const { code, stdout, stderr } = await command("up", "--create-stack", "--yes", "--debug");
  expect(stderr + stdout).toContain("debug: GET /workspaces/acme/groups ");
  expect(code).toBe(0);
  const created = emulator.journal.writes();
  expect(created.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /workspaces/acme/groups"]);
  // The provider is another process, whose output comes through the engine.
  expect(stderr + stdout).toMatch(/debug: POST \/workspaces\/acme\/groups 201 \d+ms attempt=1/);
  const renewals = emulator.journal.requests.filter(({ path }) => path === "/oauth2/token");
  expect(renewals).toHaveLength(2);
  const { accessToken } = tokens(file);
  for (const secret of [accessToken, "ci-s3cr3t"]) expect(stderr + stdout).not.toContain(secret);
});

function tokens(file: string): { accessToken: string } {
  const text = readFileSync(file, "utf8");
  const { connections } = JSON.parse(text) as {
    connections: Record<string, { oauth: { tokens: { accessToken: string } } }>;
  };
  return connections["us"]?.oauth.tokens ?? { accessToken: "?" };
}
