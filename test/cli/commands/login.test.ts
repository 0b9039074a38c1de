/** Tests `login` with tokens. */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { emulated, Person, personAt } from "../service-support.js";

describe("a personal access token", () => {
  it("is read from standard input, checked, and stored for the user only", async () => {
    const emulator = await emulated();
    const ann = new Person();
    const login = ["login", "--connection", "us", "--base-url", emulator.baseUrl, "--token", "-"];
    const { code, stdout, stderr } = await ann.types(login, { input: `${emulator.token}\n` });
    expect(stderr).toContain(ann.file);
    expect(stdout).toBe(`Logged in to ${emulator.baseUrl} as Olga Owner: connection us, workspace acme.\n`);
    expect(code).toBe(0);
    expect(ann.kept().connections["us"]).toEqual({
      baseUrl: emulator.baseUrl,
      workspace: "acme",
      token: emulator.token,
    });
    expect(ann.modes()).toEqual({ file: "600", folder: "700" });

    const who = await ann.types(["whoami", "--connection", "us"]);
    expect(who.stdout).toMatch(/^user +Olga Owner/m);
    expect(who.stdout).toMatch(/^admin +yes$/m);
    expect(who.stdout).toMatch(/^requests left +\d+ of 5000 until /m);
    expect(who.stdout).not.toContain(emulator.token);
  });

  it("is rejected on the command line, and not repeated", async () => {
    const { code, stderr } = await new Person().types([
      "login",
      "--base-url",
      "https://x",
      "--token",
      "s3cr3t",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("never the secret itself");
    expect(stderr).not.toContain("s3cr3t");
  });

  it("is not stored if the service rejects it", async () => {
    const { baseUrl } = await emulated();
    const ann = new Person({ WORKSPACE_AUTOMATION_BASE_URL: baseUrl });
    const { code, stderr } = await ann.types(["login", "--token", "-"], { input: "wrong" });
    expect(code).toBe(1);
    expect(stderr).toContain("the service does not accept this token; nothing was stored");
    expect(existsSync(ann.file)).toBe(false);
  });

  it.each([
    ["page of a proxy", 403, "text/html", "<h1>blocked</h1>"],
    ["empty refusal", 403, "text/plain", ""],
    ["refusal of a gateway", 403, "application/json", '{"message":"Forbidden"}'],
    ["page for unknown addresses", 404, "text/html", "<h1>nothing here</h1>"],
    ["page of a sign-on", 401, "text/html", "<form></form>"],
    ["page that greets", 200, "text/html", "<h1>welcome</h1>"],
    ["object of another service", 200, "application/json", '{"ok":true}'],
  ])("is not stored after the %s (%i %s), and the former login stays", async (_, status, type, body) => {
    const emulator = await emulated();
    const ann = new Person();
    const types = (baseUrl: string) =>
      ann.types(["login", "--base-url", baseUrl, "--token", "-"], { input: emulator.token });
    expect(await types(emulator.baseUrl)).toMatchObject({ code: 0 });
    const before = ann.kept();
    const proxy = createServer((_request, response) =>
      response.writeHead(status, { "content-type": type }).end(body),
    );
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const foreign = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { code, stderr } = await types(foreign);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/check (that )?the base address/i)]);
    expect(ann.kept()).toEqual(before);
    // Other commands take nothing from it either.
    const bob = new Person({ WORKSPACE_AUTOMATION_BASE_URL: foreign, WORKSPACE_AUTOMATION_TOKEN: "any" });
    expect(await bob.types(["whoami"])).toMatchObject({ code: 1 });
  });

  it("is stored only under a name that is valid in a variable", async () => {
    const { baseUrl, token } = await emulated();
    const login = ["login", "--base-url", baseUrl, "--token", "-", "--connection", "my us"];
    const { code, stderr } = await new Person().types(login, { input: token });
    expect(code).toBe(1);
    expect(stderr).toContain('"my us" cannot be the name of a connection');
  });

  it("of one service is not sent to another", async () => {
    const [us, eu] = [await emulated(), await emulated()];
    const ann = new Person();
    await ann.types(["login", "--base-url", us.baseUrl, "--token", "-"], { input: us.token });
    ann.env["WORKSPACE_AUTOMATION_BASE_URL"] = eu.baseUrl;
    const { code, stderr } = await ann.types(["whoami"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`is logged in to ${us.baseUrl}, but this run is to use ${eu.baseUrl}`);
    expect(eu.journal.requests).toEqual([]);
  });

  it("is deleted at logout, with a notice that it cannot be revoked", async () => {
    const { baseUrl, token } = await emulated();
    const ann = new Person({ WORKSPACE_AUTOMATION_BASE_URL: baseUrl });
    await ann.types(["login", "--token", "-"], { input: token });
    const { stdout, stderr } = await ann.types(["logout"]);
    expect(stdout).toBe("Logged out of connection default.\n");
    expect(stderr).toContain("delete it in your user profile");
    expect(readFileSync(ann.file, "utf8")).not.toContain(token);
  });
});

describe("a refused token", () => {
  it("is named by its place and not shown, in errors, by whoami and by doctor", async () => {
    const { baseUrl, token } = await emulated();
    const at = (value: string) =>
      new Person({ WORKSPACE_AUTOMATION_BASE_URL: baseUrl, WORKSPACE_AUTOMATION_TOKEN: value });
    const source = "the token in WORKSPACE_AUTOMATION_TOKEN";
    const refused = await at("wr0ng-t0ken").types(["whoami"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`used ${source}.`) as string });
    expect(refused.stderr).not.toContain("wr0ng");
    expect((await at("wr0ng-t0ken").types(["doctor"])).stdout).toContain(`: ${source}`);
    expect((await at(token).types(["whoami"])).stdout).toMatch(new RegExp(`^credentials +${source}$`, "m"));
  });
});

describe("whoami", () => {
  it("fails for an unknown workspace, and suggests an existing one", async () => {
    const ann = personAt(await emulated());
    const { code, stdout, stderr } = await ann.types(["whoami", "--workspace", "acne"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/there is no workspace "acne" that this user may see\. Did you mean "acme"\?/);
    expect(await ann.types(["whoami", "--workspace", "acme"])).toMatchObject({ code: 0 });
  });

  it("marks information that it cannot access as not known", async () => {
    const emulator = await emulated();
    const token = await emulator.createToken({ scopes: ["WORKSPACE"] });
    const ann = new Person({
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: token,
    });
    const { code, stdout } = await ann.types(["whoami"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^user +not known \(the token lacks USER_INFO\)$/m);
    expect(stdout).toMatch(/^admin +not known$/m);
    expect(stdout).toMatch(/^scopes +not known/m);
  });
});
