/** Tests `login` with OAuth. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Seed } from "../../../emulator/index.js";
import { decideAt, emulated, freePort, Person } from "../service-support.js";

const seedWith = (client: NonNullable<Seed["oauth_clients"]>[number]): Seed => ({
  users: [{ email: "owner@example.com", name: "Olga Owner", tokens: [{}] }],
  workspaces: [{ domain: "acme" }],
  oauth_clients: [client],
});

/** Starts an emulator with a registered client whose redirect address has a free port. */
async function withClient(more: { token_expires_in?: number } = {}) {
  const port = await freePort();
  const client = {
    client_id: "tool",
    client_secret: "tool-s3cr3t",
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
    ...more,
  };
  const emulator = await emulated({ seed: seedWith(client) });
  const person = new Person({
    WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
    WORKSPACE_AUTOMATION_CLIENT_SECRET: "tool-s3cr3t",
  });
  const consent = ["--client-id", "tool", "--authorize-url", emulator.authorizeUrl, "--port", String(port)];
  const tokenRequests = () => emulator.journal.requests.filter(({ path }) => path === "/oauth2/token").length;
  return { emulator, person, port, consent, tokenRequests };
}

const approve = async (url: string) => {
  await fetch(await decideAt(url, "approve"));
};

describe("authorization_code", () => {
  it("opens the browser, waits for the consent and stores renewable tokens", async () => {
    const { person, consent } = await withClient();
    const pages: string[] = [];
    const browse = async (url: string) => {
      expect(await (await fetch(url)).text()).toContain("asks for access");
      // The browser shows the result page only after the code exchange, so nothing waits for it here.
      const back = await decideAt(url, "approve");
      void fetch(back)
        .then((answer) => answer.text())
        .then((page) => pages.push(page));
    };
    const { code, stdout, stderr } = await person.types(["login", ...consent], { browse });
    expect(stderr).toContain("Opening your browser");
    expect(stdout).toContain("as Olga Owner: connection default, workspace acme");
    expect(code).toBe(0);
    await expect.poll(() => pages.join()).toContain("You are logged in.");

    const { oauth } = person.kept().connections["default"] ?? {};
    expect(oauth).toMatchObject({ grant: "authorization_code", clientId: "tool" });
    expect(oauth?.tokens.refreshToken).toBeTruthy();
    const who = JSON.parse((await person.types(["whoami", "--json"])).stdout) as { scopes: string[] };
    expect(who).toMatchObject({
      admin: true,
      credentials: `OAuth (authorization_code): the login of connection default in ${person.file}`,
    });
    expect(who.scopes).toContain("EXECUTION_RUN");
  });

  it("reports that the user denied access", async () => {
    const { person, consent } = await withClient();
    const browse = async (url: string) => {
      const back = await decideAt(url, "deny");
      void fetch(back);
    };
    const { code, stderr } = await person.types(["login", ...consent], { browse });
    expect(code).toBe(1);
    expect(stderr).toContain("the authorization was refused (access_denied)");
    expect(existsSync(person.file)).toBe(false);
  });

  it("ignores a callback with a wrong state", async () => {
    const { person, consent, port } = await withClient();
    const browse = async (url: string) => {
      const forged = await fetch(`http://127.0.0.1:${port}/callback?code=theirs&state=theirs`);
      expect(forged.status).toBe(404);
      void approve(url);
    };
    expect((await person.types(["login", ...consent], { browse })).code).toBe(0);
  });

  it.each(["code", "address"])("accepts a pasted %s without a browser", async (what) => {
    const { person, consent, emulator } = await withClient();
    const onNote = (text: string, stdin: NodeJS.WritableStream) => {
      const url = /https?:\S+authorize\S+/.exec(text)?.[0];
      if (!url) return;
      void decideAt(url, "approve").then((back) =>
        stdin.end(`${what === "code" ? new URL(back).searchParams.get("code") : back}\n`),
      );
    };
    const { code, stdout } = await person.types(["login", ...consent, "--no-browser"], { onNote });
    expect(stdout).toContain(`Logged in to ${emulator.baseUrl} as Olga Owner`);
    expect(code).toBe(0);
  });

  it("reads the client secret and the code from the same standard input", async () => {
    const { person, consent } = await withClient();
    delete person.env["WORKSPACE_AUTOMATION_CLIENT_SECRET"];
    const onNote = (text: string, stdin: NodeJS.WritableStream) => {
      const url = /https?:\S+authorize\S+/.exec(text)?.[0];
      if (url) void decideAt(url, "approve").then((back) => stdin.end(`${back}\n`));
    };
    const login = ["login", ...consent, "--no-browser", "--client-secret", "-"];
    const { code, stderr } = await person.types(login, { input: "tool-s3cr3t\n", onNote });
    expect(code).toBe(0);
    expect(stderr).not.toContain("tool-s3cr3t");
  });

  it("requires the address of the consent page, which the API does not provide", async () => {
    const { person } = await withClient();
    const { code, stderr } = await person.types(["login", "--client-id", "tool"]);
    expect(code).toBe(1);
    expect(stderr).toContain("add --authorize-url URL");
  });

  it("opens only HTTPS addresses in the browser", async () => {
    const { person } = await withClient();
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "http://consent.example.com/"]) {
      let opened = "";
      const browse = (page: string) => Promise.resolve(void (opened = page));
      const login = ["login", "--client-id", "tool", "--authorize-url", url];
      const { code, stderr } = await person.types(login, { browse });
      expect(code).toBe(1);
      expect(stderr).toContain(
        "the address of the consent page, on which users allow access (--authorize-url), is not an HTTPS address",
      );
      expect(opened).toBe("");
    }
  });

  it("rejects other requests while it waits for the browser", async () => {
    const { person, port, consent } = await withClient();
    const statuses: unknown[] = [];
    const browse = async (url: string) => {
      const state = new URL(url).searchParams.get("state") ?? "";
      // A plain socket, because another test file of this process may have replaced the functions of node:http.
      const knock = async (path: string, host = `127.0.0.1:${port}`) => {
        const socket = connect(port, "127.0.0.1");
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        return Number(/^HTTP\/1.1 (\d+)/.exec(await text(socket))?.[1]);
      };
      statuses.push(await knock("//"), await knock("http://[/"));
      statuses.push(await knock(`/callback?state=${state}&code=theirs`, `attacker.example:${port}`));
      void approve(url);
    };
    expect((await person.types(["login", ...consent], { browse })).code).toBe(0);
    expect(statuses).toEqual([404, 404, 404]);
  });

  it("names a port that is in use", async () => {
    const { person, consent, emulator } = await withClient();
    const taken = new URL(emulator.baseUrl).port;
    const { code, stderr } = await person.types(["login", ...consent, "--port", taken]);
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${taken} of this machine is in use`);
  });
});

describe("stored secrets of one address", () => {
  it("are not sent to another, even with the same connection name", async () => {
    const { person, emulator } = await withClient();
    delete person.env["WORKSPACE_AUTOMATION_CLIENT_SECRET"];
    const elsewhere = { baseUrl: "https://elsewhere.example.com/api", clientSecret: "kept-s3cr3t" };
    const oauthClients = { tool: { ...elsewhere, registrationAccessToken: "kept-r4t" } };
    const oauth = { grant: "client_credentials", clientId: "tool", clientSecret: "kept-s3cr3t", scopes: [] };
    const connections = { default: { baseUrl: elsewhere.baseUrl, oauth } };
    mkdirSync(dirname(person.file), { recursive: true });
    writeFileSync(person.file, JSON.stringify({ connections, oauthClients }));

    const again = ["login", "--base-url", emulator.baseUrl, "--client-id", "tool", "--client-credentials"];
    expect((await person.types(again)).stderr).toContain(
      "logging in with this client (--client-id) requires its secret",
    );
    person.env["WORKSPACE_AUTOMATION_TOKEN"] = emulator.token;
    const shown = await person.types(["oauth-client", "show", "tool"]);
    expect(shown.stderr).toContain("was registered at https://elsewhere.example.com/api");
    expect(emulator.journal.requests).toEqual([]);
  });
});

describe("stored tokens", () => {
  async function loggedIn(more: { token_expires_in?: number } = {}) {
    const at = await withClient(more);
    const browse = (url: string) => Promise.resolve(void approve(url));
    expect((await at.person.types(["login", ...at.consent], { browse })).code).toBe(0);
    const tokens = () => at.person.kept().connections["default"]?.oauth?.tokens;
    return { ...at, tokens };
  }

  it("are used while they are valid", async () => {
    const { person, tokenRequests } = await loggedIn();
    const before = tokenRequests();
    expect((await person.types(["whoami"])).code).toBe(0);
    expect(tokenRequests()).toBe(before);
  });

  it("are renewed and stored before they expire", async () => {
    const { person, tokens, tokenRequests } = await loggedIn();
    const [old, before] = [tokens(), tokenRequests()];
    const file = person.kept();
    const kept = file.connections["default"]?.oauth?.tokens;
    if (kept) Object.assign(kept, { obtainedAt: Date.now() - 3570_000, expiresAt: Date.now() + 30_000 });
    writeFileSync(person.file, JSON.stringify(file));
    expect((await person.types(["whoami"])).code).toBe(0);
    expect(tokenRequests()).toBe(before + 1);
    expect(tokens()?.accessToken).not.toBe(old?.accessToken);
    expect(tokens()?.refreshToken).not.toBe(old?.refreshToken);
    expect(person.modes().file).toBe("600");
  });

  it("are renewed once if the service rejects them", async () => {
    const { person, emulator, tokens, tokenRequests } = await loggedIn();
    const [old, before] = [tokens(), tokenRequests()];
    await emulator.clock.advance(3601_000);
    expect((await person.types(["whoami"])).code).toBe(0);
    expect(tokenRequests()).toBe(before + 1);
    expect(tokens()?.accessToken).not.toBe(old?.accessToken);
  });

  it("are renewed once for several processes, since a refresh token is valid for one use", async () => {
    const { person, emulator, tokenRequests } = await loggedIn();
    const before = tokenRequests();
    await emulator.clock.advance(3601_000);
    const all = await Promise.all([1, 2, 3, 4].map(() => person.types(["whoami"])));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(tokenRequests()).toBe(before + 1);
  });

  it("that cannot be renewed require a new login, which repeats the previous method", async () => {
    const { person, emulator } = await loggedIn();
    await emulator.clock.advance(31 * 24 * 3600_000);
    const { code, stderr } = await person.types(["whoami"]);
    expect(code).toBe(1);
    expect(stderr).toContain('Run "workspacectl login --connection default"');
    const browse = (url: string) => Promise.resolve(void approve(url));
    expect((await person.types(["login"], { browse })).code).toBe(0);
    expect((await person.types(["whoami"])).code).toBe(0);
  });

  it("are revoked at logout", async () => {
    const { person, emulator, tokens } = await loggedIn();
    const { accessToken = "", refreshToken = "" } = tokens() ?? {};
    const { code, stdout } = await person.types(["logout"]);
    expect(stdout).toBe("Logged out of connection default; its tokens are revoked.\n");
    expect(code).toBe(0);
    const user = await fetch(`${emulator.baseUrl}/user`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(user.status).toBe(401);
    const refresh = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: "tool",
      client_secret: "tool-s3cr3t",
    });
    expect((await fetch(`${emulator.baseUrl}/oauth2/token`, { method: "POST", body: refresh })).status).toBe(
      400,
    );
    expect(person.kept().connections).toEqual({});
  });

  it("are kept if they cannot be revoked, so that the user can try again", async () => {
    const { person, emulator } = await loggedIn();
    emulator.faults.add({ kind: "status", status: 400, path: "/oauth2/revoke", message: "no" });
    const failed = await person.types(["logout"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("could not be revoked, so the login was not removed");
    expect(person.kept().connections).toHaveProperty("default");
    expect((await person.types(["logout", "--local"])).code).toBe(0);
    expect(person.kept().connections).toEqual({});
  });
});

describe("client_credentials", () => {
  it("authenticate the client, with a token that is stored and requested again when it expires", async () => {
    const { person, emulator, tokenRequests } = await withClient();
    const login = ["login", "--client-id", "tool", "--client-credentials", "--scopes", "WORKSPACE,USER_INFO"];
    expect((await person.types(login)).stdout).toContain("as Olga Owner");
    const before = tokenRequests();
    const who = JSON.parse((await person.types(["whoami", "--json"])).stdout) as unknown;
    expect(who).toMatchObject({
      scopes: ["WORKSPACE", "USER_INFO"],
      credentials: `OAuth (client_credentials): the login of connection default in ${person.file}`,
    });
    expect(tokenRequests()).toBe(before);
    await emulator.clock.advance(3601_000);
    expect((await person.types(["whoami"])).code).toBe(0);
    expect(tokenRequests()).toBe(before + 1);
  });

  it("accept the secret from standard input, and never show it", async () => {
    const { person } = await withClient();
    delete person.env["WORKSPACE_AUTOMATION_CLIENT_SECRET"];
    const login = ["login", "--client-id", "tool", "--client-credentials", "--client-secret", "-", "--debug"];
    const { code, stdout, stderr } = await person.types(login, { input: "tool-s3cr3t\n" });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^debug: POST \/oauth2\/token 200 \d+ms attempt=1/m);
    expect(stdout + stderr).not.toContain("tool-s3cr3t");
    const token = person.kept().connections["default"]?.oauth?.tokens.accessToken ?? "?";
    expect(stdout + stderr).not.toContain(token);
  });
});
