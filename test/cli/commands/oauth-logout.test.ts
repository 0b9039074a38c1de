/** Tests `logout` where the service does not revoke every kind of token. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { Person } from "../service-support.js";

/** Logs in to a service that revokes tokens of one kind only, and out again. */
async function logOut(revocable: "refresh_token" | "access_token") {
  const revoked: string[] = [];
  const service = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body);
      revoked.push(form.get("token") ?? "");
      const isRevocable = form.get("token_type_hint") === revocable;
      response.writeHead(isRevocable ? 200 : 400, { "content-type": "application/json" });
      response.end(isRevocable ? "{}" : '{ "error": "unsupported_token_type" }');
    });
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const person = new Person({});
  const tokens = { accessToken: "access", obtainedAt: 0, expiresAt: 86_400_000, refreshToken: "refresh" };
  const oauth = { grant: "authorization_code", clientId: "tool", scopes: [], tokens };
  mkdirSync(dirname(person.file), { recursive: true });
  const connections = { default: { baseUrl: `http://127.0.0.1:${port}`, oauth } };
  writeFileSync(person.file, JSON.stringify({ connections }));
  const { code, stdout, stderr } = await person.types(["logout"]);
  return { code, stdout, stderr, revoked, logins: Object.keys(person.kept().connections) };
}

it("says until when an access token is valid that cannot be revoked", async () => {
  expect(await logOut("refresh_token")).toEqual({
    code: 0,
    stdout:
      "Logged out of connection default; its refresh token is revoked, but the service does not revoke access tokens: this one is valid until 1970-01-02T00:00:00.000Z.\n",
    stderr: "",
    revoked: ["access", "refresh"],
    logins: [],
  });
});

it("keeps the login if the refresh token cannot be revoked", async () => {
  const { code, stderr, logins } = await logOut("access_token");
  expect({ code, logins }).toEqual({ code: 1, logins: ["default"] });
  expect(stderr).toContain("the service does not revoke refresh tokens");
  expect(stderr).toContain("logout --connection default --local");
});
