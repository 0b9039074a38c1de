/** Tests provider/connection/credentials.ts. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveConnection } from "../../../provider/connection/connection.js";
import { readCredentials, updateCredentials } from "../../../provider/connection/credentials.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "credentials-test-"));
  file = join(folder, "new", "credentials.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (value: unknown) => writeFileSync((file = join(folder, "c.json")), JSON.stringify(value));
const add = (name: string) =>
  updateCredentials(file, ({ connections }) => {
    connections[name] = { baseUrl: "https://host/api", token: `token-${name}` };
  });

describe("the credentials file", () => {
  it("is created with permissions for its user only, and leaves no temporary files", async () => {
    await add("us");
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(join(file, "..")).mode & 0o777).toString(8)).toBe("700");
    expect(readdirSync(join(file, ".."))).toEqual(["credentials.json"]);
  });

  it("keeps every one of many concurrent changes", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
    await Promise.all(names.map(add));
    expect(Object.keys(readCredentials(file).connections).sort()).toEqual(names.sort());
  });

  it("loses permissions of others on a write, and keeps unknown settings of other releases", async () => {
    write({ version: 9, connections: { eu: { baseUrl: "https://eu/api", token: "t", note: "mine" } } });
    chmodSync(file, 0o644);
    await add("us");
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      version: 9,
      connections: { eu: { note: "mine" }, us: {} },
    });
  });

  it("is written through a symbolic link", async () => {
    write({});
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    await updateCredentials(link, ({ connections }) => void (connections["us"] = { token: "t" }));
    expect(readCredentials(file).connections).toHaveProperty("us");
  });

  it("is reported with the location of a problem, but without values, when it is invalid", () => {
    write({ connections: { us: { token: ["s3cr3t"] } } });
    expect(() => readCredentials(file)).toThrow(
      /c\.json cannot be used: connections.us.token must be a string/,
    );
    writeFileSync(file, "{ s3cr3t");
    expect(() => readCredentials(file)).toThrow(/not valid JSON\. Correct it, or delete it/);
    expect(() => readCredentials(file)).not.toThrow(/s3cr3t/);
  });
});

describe("a connection from a login", () => {
  const us = { baseUrl: "https://us.example.com/api/", workspace: "acme", token: "kept" };
  const resolve = (env: Record<string, string>, connection?: string) =>
    resolveConnection({ explicit: { connection }, env, credentials: readCredentials(file) });

  it("is selected by its name, or is the default without one", () => {
    write({ connections: { us, default: { ...us, token: "other" } } });
    expect(resolve({}, "us")).toMatchObject({
      baseUrl: "https://us.example.com/api",
      token: "kept",
      workspace: "acme",
    });
    expect(resolve({})).toMatchObject({ token: "other" });
  });

  it("yields to environment variables", () => {
    write({ connections: { us } });
    const env = { WORKSPACE_AUTOMATION_US_TOKEN: "mine", WORKSPACE_AUTOMATION_DOMAIN: "shop" };
    expect(resolve(env, "us")).toMatchObject({ token: "mine", workspace: "shop" });
  });

  it("supplies neither a token nor a workspace for another address", () => {
    write({ connections: { default: us } });
    const env = { WORKSPACE_AUTOMATION_BASE_URL: "https://eu.example.com/api" };
    expect(() => resolve(env)).toThrow(
      /is logged in to https:\/\/us\.example\.com\/api\/, but this run is to use https:\/\/eu/,
    );
    const other = resolve({ ...env, WORKSPACE_AUTOMATION_TOKEN: "t" });
    expect(other).toMatchObject({ token: "t" });
    expect(other).not.toHaveProperty("workspace");
  });

  it("lists the existing logins when it is missing", () => {
    write({ connections: { us, eu: us } });
    expect(() => resolve({})).toThrow(
      /run "workspacectl login".*Logged in to: us, eu; choose one with --connection/,
    );
  });
});
