/** A token of a fleet file is sent only to the address that the file sets together with it. */
import { describe, expect, it } from "vitest";
import { refuseMixedPairs } from "../../trust/connection.js";

const ours = "https://ours.example.com/api";
const other = "https://other.example.com/api";
const theirs = "https://theirs.example.com/api";
const [url, token] = ["WORKSPACE_AUTOMATION_BASE_URL", "WORKSPACE_AUTOMATION_TOKEN"] as const;

describe("variables of a fleet file", () => {
  const env = {
    WORKSPACE_AUTOMATION_BASE_URL: ours,
    WORKSPACE_AUTOMATION_TOKEN: "t",
    EU_WORKSPACE_AUTOMATION_BASE_URL: other,
    EU_WORKSPACE_AUTOMATION_TOKEN: "eu",
    TEAM_WORKSPACE_AUTOMATION_TOKEN: "team",
    WORKSPACE_AUTOMATION_EU_TOKEN: "named",
    Y_WORKSPACE_AUTOMATION_EU_BASE_URL: other,
  };
  const eu = { [url]: `EU_${url}`, [token]: `EU_${token}` };

  it.each<[string, Record<string, string>]>([
    ["a pair", eu],
    ["the caller's own pair", { [url]: url, [token]: token }],
    ["a token without an address next to it", { [token]: `TEAM_${token}` }],
    [
      "a named pair",
      {
        WORKSPACE_AUTOMATION_EU_BASE_URL: `X_WORKSPACE_AUTOMATION_EU_BASE_URL`,
        WORKSPACE_AUTOMATION_EU_TOKEN: `X_WORKSPACE_AUTOMATION_EU_TOKEN`,
      },
    ],
    [
      "other variables",
      { WORKSPACE_VAR_A: "WORKSPACE_VAR_B", WORKSPACE_AUTOMATION_DOMAIN: "EU_WORKSPACE_AUTOMATION_DOMAIN" },
    ],
  ])("may be %s", (_what, mapping) => {
    expect(() => refuseMixedPairs(mapping, env)).not.toThrow();
  });

  it.each<[string, Record<string, string>]>([
    ["address", { [url]: `EU_${url}` }],
    ["token", { [token]: `EU_${token}` }],
    ["address, with the token of another", { [url]: `EU_${url}`, [token]: token }],
    ["address, with a token that has none", { [url]: `EU_${url}`, [token]: `TEAM_${token}` }],
    ["token, with the address of another", { [url]: url, [token]: `EU_${token}` }],
    ["named address", { WORKSPACE_AUTOMATION_EU_BASE_URL: "Y_WORKSPACE_AUTOMATION_EU_BASE_URL" }],
    ["named token", { WORKSPACE_AUTOMATION_EU_TOKEN: "Y_WORKSPACE_AUTOMATION_EU_TOKEN" }],
  ])("never are one half of a pair: the %s", (_what, mapping) => {
    expect(() => refuseMixedPairs(mapping, env)).toThrow(
      /a token is sent only to the address that is set together with it. Write "WORK/,
    );
  });

  it("are refused with where the other half comes from", () => {
    const refuse = (mapping: Record<string, string>) => () => refuseMixedPairs(mapping, env);
    expect(refuse({ [token]: `EU_${token}` })).toThrow(`${url} is not set together with it`);
    expect(refuse({ [url]: url, [token]: `EU_${token}` })).toThrow(`but ${token} from EU_${token}`);
  });

  it.each([
    ["MY_WORKSPACE_AUTOMATION_TOKEN"],
    ["WORKSPACE_AUTOMATION_TOKENS"],
    ["WORKSPACE_AUTOMATION_E-U_TOKEN"],
    ["MY_WORKSPACE_AUTOMATION_BASE_URL"],
    ["WORKSPACE_AUTOMATION_BASE_URLS"],
    ["WORKSPACE_AUTOMATION_E-U_BASE_URL"],
    ["REGION"],
  ])("may be a variable of another name: %s", (name) => {
    expect(() => refuseMixedPairs({ [name]: "EU" }, env)).not.toThrow();
  });

  it("belong to connections of any name, also of one that is named like a variable", () => {
    for (const name of ["TOKEN_TOKEN", "BASE_URL_TOKEN", "EAST_2_TOKEN"]) {
      const to = `WORKSPACE_AUTOMATION_${name}`;
      const half = to.replace(/TOKEN$/, "BASE_URL");
      expect(() => refuseMixedPairs({ [to]: `EU_${to}` }, { [`EU_${half}`]: theirs })).toThrow(
        `${half} is not set together with it`,
      );
    }
    for (const name of ["BASE_URL_BASE_URL", "EAST_2_BASE_URL"]) {
      const to = `WORKSPACE_AUTOMATION_${name}`;
      const half = to.replace(/BASE_URL$/, "TOKEN");
      expect(() => refuseMixedPairs({ [to]: `EU_${to}` }, { [half]: "mine" })).toThrow(
        `${half} is not set together with it`,
      );
    }
  });

  it("may be an address when the token is that of a login", () => {
    const { WORKSPACE_AUTOMATION_TOKEN: _, ...rest } = env;
    expect(() => refuseMixedPairs({ [url]: `EU_${url}` }, rest)).not.toThrow();
  });
});
