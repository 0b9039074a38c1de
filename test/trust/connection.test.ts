/** Tests which address and token a workspace file uses, for every combination of what its caller and its checkout name. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Connection,
  type ConnectionSettings,
  type ConnectionSources,
  resolveConnection,
} from "../../provider/connection/connection.js";
import type { Credentials } from "../../provider/connection/credentials.js";
import { isSameAddress } from "../../trust/connection.js";
import { TrustError } from "../../trust/errors.js";

const ours = "https://ours.example.com/api";
const other = "https://other.example.com/api";
const theirs = "https://theirs.example.com/api";

const credentials = (connections: Credentials["connections"]): Credentials => ({
  file: "/nowhere",
  connections,
  oauthClients: {},
});

const variables = {
  BASE_URL: "WORKSPACE_AUTOMATION_BASE_URL",
  TOKEN: "WORKSPACE_AUTOMATION_TOKEN",
} as const;
const pair = { [variables.BASE_URL]: ours, [variables.TOKEN]: "env" };
const login = credentials({ default: { baseUrl: ours, token: "login" } });

function outcome(sources: ConnectionSources): string {
  try {
    const { baseUrl, token } = resolveConnection({ checkout: {}, ...sources });
    return `${typeof token === "string" ? token : "renewed"} to ${baseUrl}`;
  } catch (error) {
    const { name, message } = error as Error;
    return name === "TrustError" ? `refused: ${message}` : message;
  }
}

describe("an address of a checkout", () => {
  it.each<[string, ConnectionSources, string | RegExp]>([
    ["the pair of the environment", { env: pair }, `env to ${ours}`],
    ["the pair of the environment, also with a login", { env: pair, credentials: login }, `env to ${ours}`],
    ["a login", { credentials: login }, `login to ${ours}`],
    [
      "a login and a token of the environment",
      { env: { [variables.TOKEN]: "env" }, credentials: login },
      `env to ${ours}`,
    ],
    [
      "a named pair of the environment",
      {
        explicit: { connection: "eu" },
        env: { WORKSPACE_AUTOMATION_EU_BASE_URL: ours, WORKSPACE_AUTOMATION_EU_TOKEN: "eu" },
      },
      `eu to ${ours}`,
    ],
  ])("has no effect when it is the address of %s", (_caller, sources, expected) => {
    expect(outcome(sources)).toBe(expected);
    for (const baseUrl of [ours, `${ours}/`, "HTTPS://OURS.example.com:443/api"])
      for (const token of [undefined, "theirs-token"])
        expect(outcome({ ...sources, checkout: { baseUrl, token } })).toBe(expected);
  });

  it.each<[string, ConnectionSources, string]>([
    ["the environment", { env: pair }, "the environment names"],
    [
      "an address of the environment without a token",
      { env: { [variables.BASE_URL]: ours } },
      "the environment names",
    ],
    ["a login", { credentials: login }, "the login of connection default names"],
    [
      "a login of that name",
      {
        explicit: { connection: "us" },
        credentials: credentials({
          us: { baseUrl: ours, token: "us" },
          eu: { baseUrl: theirs, token: "eu" },
        }),
      },
      "choose the login of that address with --connection eu",
    ],
    ["nobody", {}, "which you have not named"],
    ["nobody, who has a token", { env: { [variables.TOKEN]: "env" } }, "which you have not named"],
    [
      "a variable of another connection",
      { env: { WORKSPACE_AUTOMATION_EU_BASE_URL: theirs, WORKSPACE_AUTOMATION_EU_TOKEN: "eu" } },
      "which you have not named",
    ],
  ])("is refused before any request when %s names another", (_caller, sources, expected) => {
    for (const token of [undefined, "theirs-token"]) {
      const refused = outcome({ ...sources, checkout: { baseUrl: theirs, token, allowInsecure: "true" } });
      expect(refused).toMatch(
        /^refused: the stack's configuration \(workspace-automation:baseUrl\) names https:\/\/theirs/,
      );
      expect(refused).toContain(expected);
      expect(refused).toContain("nothing was sent");
      expect(refused).toMatch(/set WORKSPACE_AUTOMATION_(US_)?BASE_URL=https:\/\/theirs/);
      expect(refused).not.toMatch(/theirs-token|config set/);
    }
  });
});

describe("a token of a checkout", () => {
  it("is used only where the caller has none, for the caller's address that it is named for", () => {
    const env = { [variables.BASE_URL]: ours };
    expect(outcome({ env, checkout: { baseUrl: ours, token: "theirs-token" } })).toBe(
      `theirs-token to ${ours}`,
    );
    expect(outcome({ env, checkout: { token: "theirs-token" } })).toMatch(
      /^refused: .* does not say for which address/,
    );
    expect(outcome({ env: pair, checkout: { token: "theirs-token" } })).toBe(`env to ${ours}`);
    expect(outcome({ credentials: login, checkout: { token: "theirs-token" } })).toBe(`login to ${ours}`);
  });
});

describe("other settings of a checkout", () => {
  it("include the workspace, which outranks the environment's", () => {
    const env = { ...pair, WORKSPACE_AUTOMATION_DOMAIN: "acme" };
    const workspace = (checkout: ConnectionSettings) => resolveConnection({ env, checkout }).workspace;
    expect(workspace({})).toBe("acme");
    expect(workspace({ workspace: "beta" })).toBe("beta");
  });

  it("never allow plain HTTP", () => {
    const insecure = (sources: ConnectionSources) => resolveConnection(sources).allowInsecure;
    const checkout = { baseUrl: ours, token: "theirs-token", allowInsecure: "true" };
    expect(insecure({ env: pair, checkout })).toBe(false);
    expect(insecure({ credentials: login, checkout })).toBe(false);
    expect(insecure({ env: { [variables.BASE_URL]: ours }, checkout })).toBe(false);
    expect(insecure({ env: { ...pair, WORKSPACE_AUTOMATION_ALLOW_INSECURE: "true" }, checkout: {} })).toBe(
      true,
    );
  });

  it("include no login by the name of a property that every object has", () => {
    for (const connection of ["constructor", "__proto__", "toString"])
      expect(
        outcome({
          explicit: { connection },
          credentials: login,
          checkout: { baseUrl: theirs, token: "theirs-token" },
        }),
      ).toMatch(/^refused/);
  });
});

describe("a missing connection", () => {
  it("is explained without the stack's configuration, unless a program is run", () => {
    expect(outcome({})).not.toContain("config set");
    expect(() => resolveConnection({ config: {} })).toThrow(
      "workspacectl config set workspace-automation:baseUrl",
    );
  });
});

describe("for all callers and checkouts", () => {
  const address = fc.constantFrom(undefined, ours, `${ours}/`, other, theirs);
  const name = fc.constantFrom(undefined, "us", "eu");
  const settings = fc.record({
    BASE_URL: address,
    TOKEN: fc.constantFrom(undefined, "t"),
    ALLOW_INSECURE: fc.constantFrom(undefined, "true"),
  });
  const caller = fc.record({
    label: name,
    unnamed: settings,
    us: settings,
    eu: settings,
    logins: fc.dictionary(
      fc.constantFrom("default", "us", "eu"),
      fc.record({ baseUrl: fc.constantFrom(ours, other), token: fc.constantFrom(undefined, "t") }),
    ),
  });
  const checkout = fc.record({
    connection: name,
    baseUrl: address,
    token: fc.constantFrom(undefined, "theirs-token"),
    allowInsecure: fc.constantFrom(undefined, "true"),
  });

  /** Names each token for its owner and the address that the owner has named with it. */
  function environmentOf({
    label,
    unnamed,
    us,
    eu,
  }: typeof caller extends fc.Arbitrary<infer T> ? T : never) {
    const entries = Object.entries({ "": unnamed, US_: us, EU_: eu }).flatMap(([prefix, own]) =>
      Object.entries(own).map(([key, value]) => [
        `WORKSPACE_AUTOMATION_${prefix}${key}`,
        key === "TOKEN" && value ? `env ${prefix}` : value,
      ]),
    );
    return { ...Object.fromEntries(entries), WORKSPACE_AUTOMATION_CONNECTION: label } as Record<
      string,
      string | undefined
    >;
  }

  const attempt = (sources: ConnectionSources): Connection | Error => {
    try {
      return resolveConnection(sources);
    } catch (error) {
      return error as Error;
    }
  };

  it("a checkout changes neither address nor token of its caller, and adds a token only for the caller's address", () => {
    fc.assert(
      fc.property(caller, checkout, (given, said) => {
        const env = environmentOf(given);
        const logins = Object.fromEntries(
          Object.entries(given.logins).map(([of, one]) => [
            of,
            { ...one, token: one.token && `login ${of}` },
          ]),
        );
        const sources = { env, credentials: credentials(logins), explicit: { connection: said.connection } };
        const alone = attempt({ ...sources, checkout: {} });
        const found = attempt({ ...sources, checkout: said });
        if (found instanceof Error) return;
        if (!(alone instanceof Error)) {
          expect({ ...found, login: undefined }).toEqual({ ...alone, login: undefined });
          return;
        }
        expect(alone).not.toBeInstanceOf(TrustError);
        expect(found.token).toBe("theirs-token");
        const named = [
          ...Object.entries(env).filter(([key]) => key.endsWith("BASE_URL")),
          ...Object.entries(logins),
        ]
          .map(([, one]) => (typeof one === "string" ? one : one?.baseUrl))
          .filter((one) => one !== undefined);
        expect(named.some((one) => isSameAddress(one, found.baseUrl))).toBe(true);
        expect(isSameAddress(said.baseUrl ?? "", found.baseUrl)).toBe(true);
        const { allowInsecure: _, ...rest } = said;
        expect(found.allowInsecure).toBe(resolveConnection({ ...sources, checkout: rest }).allowInsecure);
      }),
      { numRuns: 1000 },
    );
  });
});
