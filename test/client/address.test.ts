/** Tests client/address.ts. */
import nock from "nock";
import { describe, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { failure, host, mockedClient, useNock } from "./helpers.js";

useNock();

const at = (baseUrl: string, more = {}) => new WorkspaceAutomationClient({ baseUrl, token: "t", ...more });

describe("the base address", () => {
  it.each([`${host}/api`, `${host}/api/`, `${host}/api//`])(
    "%s: all requests start with its path",
    async (baseUrl) => {
      nock(host).get("/api/user").reply(200, { id: 1 });
      expect(await mockedClient({ baseUrl }).user.get()).toEqual({ id: 1 });
    },
  );

  it("may have no path", async () => {
    nock(host).get("/user").reply(200, { id: 1 });
    expect(await mockedClient({ baseUrl: host }).user.get()).toEqual({ id: 1 });
  });

  it.each(["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:1/api", "http://emulator.localhost"])(
    "%s does not require TLS, since it is this machine",
    (baseUrl) => {
      expect(() => at(baseUrl)).not.toThrow();
    },
  );

  it("requires HTTPS for any other machine", () => {
    expect(() => at("http://ci.example.com/api")).toThrow(
      "the base address http://ci.example.com would send the token without encryption. Use https://, or allow it in a network that you trust: WORKSPACE_AUTOMATION_ALLOW_INSECURE=true (allowInsecure in code).",
    );
    expect(() => at("http://localhost.example.com")).toThrow("without encryption");
    expect(() => at("http://ci.example.com/api", { allowInsecure: true })).not.toThrow();
  });

  it.each([
    ["workspace.example.com", "is not a URL"],
    ["ftp://workspace.example.com", "is not an HTTPS address"],
    ["https://ann:pw@workspace.example.com", "contains more than scheme, host and path"],
    ["https://workspace.example.com?access_token=x", "contains more than scheme, host and path"],
  ])("%s is refused", (baseUrl, why) => {
    expect(() => at(baseUrl)).toThrow(why);
  });
});

describe("names in paths", () => {
  it("are escaped", async () => {
    nock(host)
      .get("/api/workspaces/acme/projects/a%2Fb%20%3F%23c/repository/branches/feature%2F%C3%BC")
      .reply(200, { name: "x" });
    await mockedClient().branches.get("acme", "a/b ?#c", "feature/ü");
  });

  it("retain their slashes in a repository path", async () => {
    nock(host)
      .get(
        "/api/workspaces/acme/projects/web/repository/contents/src/a%20b.txt?page=1&per_page=100&revision=main",
      )
      .reply(200, { contents: [] });
    await mockedClient().contents.list("acme", "web", "/src/a b.txt", { revision: "main" }).toArray();
  });

  it.each(["", ".", ".."])("cannot change the structure of the path: %j", async (name) => {
    const error = await failure(
      Promise.resolve().then(() => mockedClient().projects.delete("acme", name)),
      "invalid-value",
    );
    expect(error.message).toMatch("is not a name or id that an address can contain after /projects/");
  });
});
