/** Logs in to the authorization servers of others, renews, logs out and registers clients. */
import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Person } from "../../cli/service-support.js";
import { temporaryFolder } from "../support.js";
import { consent } from "./browser.js";
import { installServers, type OAuthServerOfOthers, scopes, secret, servers, startServer } from "./servers.js";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 600_000 });

const folder = temporaryFolder();
beforeAll(() => installServers(folder));

const browse = async (url: string) => void (await consent(url));

/** Starts a server, and a person who may log in there. */
async function meet(server: OAuthServerOfOthers) {
  const service = await startServer(server, folder);
  const person = new Person({ WORKSPACE_AUTOMATION_BASE_URL: service.baseUrl });
  const page = ["--authorize-url", service.authorizeUrl, "--port", service.port];
  const login = async (...argv: string[]) => {
    const { code, stdout, stderr } = await person.types(["login", "--scopes", scopes.join(), ...argv], {
      browse,
    });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain("as Ann: connection default, workspace acme");
  };
  return { person, page, login, service };
}

/** Lets the stored access token expire. */
function expire({ file }: Person, refreshToken?: string): { accessToken: string; refreshToken: string } {
  const all = JSON.parse(readFileSync(file, "utf8")) as ReturnType<Person["kept"]>;
  const tokens = all.connections["default"]?.oauth?.tokens;
  if (tokens === undefined) throw new Error("there is no login");
  const before = { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken ?? "" };
  Object.assign(tokens, { obtainedAt: 0, expiresAt: 1, ...(refreshToken ? { refreshToken } : {}) });
  writeFileSync(file, JSON.stringify(all));
  return before;
}

describe.each(servers)("$name $version", (server) => {
  it("lets a public client in, renews its tokens once, and revokes what it can", async () => {
    const { person, page, login, service } = await meet(server);
    await login("--client-id", "public", ...page);
    const first = expire(person);
    const who = await person.types(["whoami"]);
    expect(who.code, who.stderr).toBe(0);
    const second = expire(person);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((await person.types(["whoami"])).code).toBe(0);
    const { refreshToken } = expire(person);

    const { code, stdout, stderr } = await person.types(["logout"]);
    if (server.revokes === "nothing") {
      expect(stderr).toContain("could not be revoked, so the login was not removed");
      expect((await person.types(["logout", "--local"])).code).toBe(0);
      return;
    }
    expect(code, stderr).toBe(0);
    const isPart = server.revokes !== "all";
    expect(stdout).toContain(
      isPart ? "but the service does not revoke access tokens" : "its tokens are revoked",
    );
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: "public",
    });
    const late = await fetch(`${service.baseUrl}/oauth2/token`, { method: "POST", body });
    expect([late.status, await late.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });

  it("asks for a new login when a refresh token was used before", async () => {
    const { person, page, login } = await meet(server);
    await login("--client-id", "public", ...page);
    const { refreshToken } = expire(person);
    expect((await person.types(["whoami"])).code).toBe(0);
    const { refreshToken: next } = expire(person, refreshToken);
    const again = await person.types(["whoami"]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('Run "workspacectl login --connection default"');
    expire(person, next);
    expect((await person.types(["whoami"])).code).toBe(server.detectsReuse ? 1 : 0);
    await login();
  });

  it.each(server.clients)(
    "takes a secret of all printable characters, with its client for the %s",
    async (client) => {
      const { person, page, login } = await meet(server);
      person.env["WORKSPACE_AUTOMATION_CLIENT_SECRET"] = secret;
      await login("--client-id", client, ...page);
      expire(person);
      const who = await person.types(["whoami"]);
      expect(who.code, who.stderr).toBe(0);
      await login("--client-id", client, "--client-credentials");
      const wrong = new Person({ ...person.env, WORKSPACE_AUTOMATION_CLIENT_SECRET: `${secret}x` });
      const { code, stderr } = await wrong.types(["login", "--client-id", client, "--client-credentials"]);
      expect(code).toBe(1);
      expect(stderr).toContain("check client id and secret");
      expect(stderr).not.toContain(secret);
    },
  );

  it.runIf(server.registers)("registers a client that logs in, is shown and deleted", async () => {
    const { person, page, login, service } = await meet(server);
    person.env["WORKSPACE_AUTOMATION_TOKEN"] = "registrant";
    const made = await person.types([
      ...["oauth-client", "register", "--name", "Workspace as code", "--save", "--json"],
      ...["--redirect-uri", service.redirect],
    ]);
    expect(made.code, made.stderr).toBe(0);
    const { client_id: id } = JSON.parse(made.stdout) as { client_id: string };
    delete person.env["WORKSPACE_AUTOMATION_TOKEN"];
    await login("--client-id", id, ...page);
    const shown = await person.types(["oauth-client", "show", id]);
    expect(shown.stdout, shown.stderr).toContain("Workspace as code");
    const gone = await person.types(["oauth-client", "delete", id]);
    expect(gone.code, gone.stderr).toBe(0);
    expect(person.kept().oauthClients).toEqual({});
  });

  it.runIf(server.narrow)("says why it refuses scopes", async () => {
    const { person, page } = await meet(server);
    const [client = "", description = ""] = server.narrow ?? [];
    const argv = ["login", "--client-id", client, ...page, "--scopes", scopes.join()];
    const { code, stderr } = await person.types(argv, { browse });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `the authorization was refused (invalid_scope), with the message "${description}`,
    );
    expect(stderr).toContain("--scopes");
  });
});
