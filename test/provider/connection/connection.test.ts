/** Tests that a token is sent only to the address that is configured in the same source. */
import { describe, expect, it } from "vitest";
import { type ConnectionSources, resolveConnection } from "../../../provider/connection/connection.js";

const ours = "https://ours.example.com/api";
const theirs = "https://theirs.example.com/api";
const stored = {
  file: "/nowhere",
  connections: { default: { baseUrl: ours, token: "login" } },
  oauthClients: {},
};

const found = (sources: ConnectionSources) => {
  const { baseUrl, token } = resolveConnection(sources);
  return { baseUrl, token };
};

describe("the source of the token, for messages", () => {
  const env = { WORKSPACE_AUTOMATION_BASE_URL: ours, WORKSPACE_AUTOMATION_TOKEN: "t0ken" };
  const logins = { ...stored, connections: { eu: { baseUrl: ours, token: "login" } } };
  const eu = { connection: "eu" };
  it.each<[string, ConnectionSources, string]>([
    ["a variable", { env }, "the token in WORKSPACE_AUTOMATION_TOKEN"],
    [
      "a variable of a connection",
      { env: { WORKSPACE_AUTOMATION_EU_BASE_URL: ours, WORKSPACE_AUTOMATION_EU_TOKEN: "t" }, explicit: eu },
      "the token in WORKSPACE_AUTOMATION_EU_TOKEN",
    ],
    ["a login", { credentials: stored }, "the login of connection default in /nowhere"],
    [
      "a login next to a variable that is not for it",
      { env, credentials: logins, explicit: eu },
      "the login of connection eu in /nowhere, not WORKSPACE_AUTOMATION_TOKEN, which names no connection: WORKSPACE_AUTOMATION_EU_TOKEN would be used",
    ],
    [
      "the stack's configuration",
      { config: { baseUrl: ours, token: "its" } },
      "the token of the stack's configuration (workspace-automation:...)",
    ],
    [
      "the stack's configuration of a workspace file",
      { env: { WORKSPACE_AUTOMATION_BASE_URL: ours }, checkout: { baseUrl: ours, token: "its" } },
      "the token of the stack's configuration (workspace-automation:...)",
    ],
  ])("is %s", (_what, sources, credential) => {
    expect(resolveConnection(sources).credential).toBe(credential);
  });
});

describe("an address in the stack's configuration, which is committed with the code", () => {
  const config = { baseUrl: theirs };

  it("does not receive the token of the environment", () => {
    const bare = { WORKSPACE_AUTOMATION_TOKEN: "t0ken" };
    const meant = { ...bare, WORKSPACE_AUTOMATION_BASE_URL: ours };
    for (const env of [bare, meant])
      expect(() => resolveConnection({ config, env })).toThrow(/a token is sent only to the address/);
    expect(() => resolveConnection({ config, env: meant })).toThrow(
      `set WORKSPACE_AUTOMATION_BASE_URL=${theirs} together with the token`,
    );
    expect(() => resolveConnection({ config, env: meant })).not.toThrow("t0ken");
  });

  it("does not receive the token of a connection that the configuration selects", () => {
    const env = { WORKSPACE_AUTOMATION_EU_BASE_URL: ours, WORKSPACE_AUTOMATION_EU_TOKEN: "eu" };
    expect(found({ config: { connection: "eu" }, env })).toEqual({ baseUrl: ours, token: "eu" });
    expect(() => resolveConnection({ config: { ...config, connection: "eu" }, env })).toThrow(
      `set WORKSPACE_AUTOMATION_EU_BASE_URL=${theirs}`,
    );
  });

  it("does not receive the token of a login", () => {
    expect(() => resolveConnection({ config, credentials: stored })).toThrow(/is logged in to/);
  });

  it("receives the token next to it, or one whose source names the same address", () => {
    expect(found({ config: { ...config, token: "its" } })).toEqual({ baseUrl: theirs, token: "its" });
    const env = { WORKSPACE_AUTOMATION_BASE_URL: `${theirs}/`, WORKSPACE_AUTOMATION_TOKEN: "t" };
    expect(found({ config, env })).toEqual({ baseUrl: theirs, token: "t" });
  });
});

describe("a token in the stack's configuration", () => {
  const config = { token: "its" };

  it("is sent neither to the environment's address nor to a login's address", () => {
    const env = { WORKSPACE_AUTOMATION_BASE_URL: ours };
    expect(() => resolveConnection({ config, env })).toThrow(`workspace-automation:baseUrl ${ours}`);
    expect(() => resolveConnection({ config, credentials: stored })).toThrow(/from the login/);
  });
});

describe("a token in the environment", () => {
  it("replaces the token of a login at the login's address", () => {
    const env = { WORKSPACE_AUTOMATION_TOKEN: "t" };
    expect(found({ env, credentials: stored })).toEqual({ baseUrl: ours, token: "t" });
  });

  it("is sent over plain HTTP only when the same source allows it", () => {
    const env = { WORKSPACE_AUTOMATION_BASE_URL: ours, WORKSPACE_AUTOMATION_TOKEN: "t" };
    const insecure = (sources: ConnectionSources) => resolveConnection(sources).allowInsecure;
    expect(insecure({ env, config: { allowInsecure: "true" } })).toBe(false);
    expect(insecure({ env: { ...env, WORKSPACE_AUTOMATION_ALLOW_INSECURE: "true" } })).toBe(true);
    expect(insecure({ config: { baseUrl: ours, token: "t", allowInsecure: "true" } })).toBe(true);
  });
});

describe("a run that names no connection", () => {
  const login = (baseUrl: string) => ({ baseUrl, token: `of ${baseUrl}` });
  const loggedIn = (connections: Record<string, ReturnType<typeof login>>): ConnectionSources => ({
    credentials: { file: "/nowhere", connections, oauthClients: {} },
  });

  it("uses the only login, whatever its name", () => {
    const only = loggedIn({ prod: login(ours) });
    expect(resolveConnection(only)).toMatchObject({ name: "prod", baseUrl: ours, token: `of ${ours}` });
    const env = { WORKSPACE_AUTOMATION_BASE_URL: ours };
    expect(resolveConnection({ ...only, env })).toMatchObject({ name: "prod", token: `of ${ours}` });
  });

  it("does not use it for another address, and chooses none of several", () => {
    const env = { WORKSPACE_AUTOMATION_BASE_URL: theirs };
    expect(() => resolveConnection({ ...loggedIn({ prod: login(ours) }), env })).toThrow("no token");
    const two = loggedIn({ prod: login(ours), eu: login(theirs) });
    expect(() => resolveConnection(two)).toThrow("Logged in to: prod, eu; choose one with --connection");
  });

  it("lists the logins when the named one does not exist", () => {
    const explicit = { connection: "asia" };
    expect(() => resolveConnection({ ...loggedIn({ prod: login(ours) }), explicit })).toThrow(
      /no base address for connection asia is set: run "workspacectl login --connection asia".*Logged in to: prod/s,
    );
  });
});
