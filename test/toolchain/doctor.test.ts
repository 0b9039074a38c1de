/** Tests the checks of `doctor`. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inspectConnection, runDoctor } from "../../cli/commands/doctor/run-doctor.js";
import { inspect, type ToolchainCheck } from "../../toolchain/index.js";
import { testIo } from "../cli/support.js";
import { emptyMachine, executable } from "./fakes.js";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function service(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

const named = (findings: ToolchainCheck[], name: string) => findings.find((finding) => finding.name === name);

describe("the connection check", () => {
  it("reports success", async () => {
    const asked: string[] = [];
    const baseUrl = await service((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.end('{"id":1}');
    });
    const findings = await inspectConnection({ baseUrl: `${baseUrl}/`, token: "secret-token" });
    expect(findings.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    expect(asked).toEqual(["/api/user Bearer secret-token"]);
    expect(JSON.stringify(findings)).not.toContain("secret-token");
  });

  it("masks a token that the service echoes", async () => {
    for (const status of [400, 401, 403, 502]) {
      const baseUrl = await service(({ headers }, response) =>
        response.writeHead(status).end(JSON.stringify({ errors: [{ message: headers.authorization }] })),
      );
      const findings = await inspectConnection({ baseUrl, token: "secret-token" });
      expect(named(findings, "token")?.found).toContain("Bearer [secret]");
    }
  });

  it("without a token checks only that the service responds", async () => {
    const asked: unknown[] = [];
    const baseUrl = await service((request, response) => {
      asked.push(request.url, request.headers.authorization);
      response.writeHead(404).end();
    });
    const findings = await inspectConnection({ baseUrl });
    expect(asked).toEqual(["/api", undefined]);
    expect(named(findings, "connection")).toEqual({
      name: "connection",
      status: "ok",
      found: `${baseUrl} responds (HTTP 404)`,
    });
    expect(named(findings, "token")).toMatchObject({ status: "warning", found: "none given" });
  });

  it("distinguishes a rejected token from one with insufficient rights", async () => {
    const answers: [number, string][] = [
      [401, "Wrong authentication data"],
      [403, "API is disabled in this workspace"],
    ];
    const statuses: unknown[] = [];
    for (const [code, message] of answers) {
      const baseUrl = await service((_, response) =>
        response.writeHead(code).end(JSON.stringify({ errors: [{ message }] })),
      );
      const finding = named(await inspectConnection({ baseUrl, token: "t" }), "token");
      statuses.push(finding?.status);
      expect(finding?.found).toContain(`HTTP ${code}: ${message}`);
      expect(finding?.remedy).toBeTruthy();
    }
    expect(statuses).toEqual(["missing", "warning"]);
  });

  it.each([
    [200, "<h1>welcome</h1>"],
    [200, "{}"],
    [401, "<form></form>"],
    [403, "<h1>blocked</h1>"],
    [403, ""],
  ])("does not take the page of a proxy for the service (%i %s)", async (status, page) => {
    const baseUrl = await service((_, response) => response.writeHead(status).end(page));
    const findings = await inspectConnection({ baseUrl, token: "t" });
    expect(named(findings, "connection")).toMatchObject({
      status: "missing",
      found: `${baseUrl} responds (HTTP ${status}), but not as the service does`,
      remedy: expect.stringContaining("proxy or firewall") as string,
    });
    expect(named(findings, "token")?.status).toBe("warning");
  });

  it("says of a service that fails whom to ask, and of a page of maintenance its title", async () => {
    const baseUrl = await service((_, response) =>
      response.writeHead(503).end("<html><title>Maintenance\nuntil 06:00</title></html>"),
    );
    const findings = await inspectConnection({ baseUrl, token: "t" });
    expect(named(findings, "connection")).toMatchObject({
      status: "missing",
      found: `${baseUrl} responds (HTTP 503): the service fails: a page with the title "Maintenance until 06:00"`,
      remedy: expect.stringContaining("ask whoever runs the service") as string,
    });
  });

  it("says which token to replace, and how", async () => {
    const baseUrl = await service((_, response) =>
      response.writeHead(401).end('{"errors":[{"message":"Wrong authentication data"}]}'),
    );
    const credential = "the token of the environment";
    const findings = await inspectConnection({ baseUrl, token: "t", credential });
    expect(named(findings, "token")?.remedy).toBe(
      `create a new token, and use it in place of ${credential}: with "workspacectl login", or where the token is set`,
    );
  });

  it("sends nothing over plain http to another machine unless that is allowed", async () => {
    const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("{}"));
    const connection = { baseUrl: "http://service.example.com/api", token: "t" };
    const findings = await inspectConnection(connection);
    expect(findings).toMatchObject([{ name: "connection", status: "missing" }]);
    expect(findings[0]?.found).toContain("would send the token without encryption");
    expect(asked).not.toHaveBeenCalled();
    await inspectConnection({ ...connection, allowInsecure: true });
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });

  it("warns if the clock is off by more than a minute", async () => {
    const date = "Sat, 21 Nov 2026 12:00:00 GMT";
    const baseUrl = await service((_, response) => response.setHeader("date", date).end());
    const at = async (offset: number) =>
      named(await inspectConnection({ baseUrl }, () => Date.parse(date) + offset * 1000), "clock");
    expect(await at(59)).toMatchObject({ status: "ok" });
    expect(await at(90)).toMatchObject({ status: "warning", found: "90 s ahead of the service's" });
    expect(await at(-90)).toMatchObject({ status: "warning", found: "90 s behind the service's" });
  });

  it("reports a service that does not respond, without credentials in its address", async () => {
    const baseUrl = await service(() => undefined);
    closers.splice(0).forEach((close) => close());
    const [finding] = await inspectConnection({ baseUrl });
    expect(finding).toMatchObject({ status: "missing" });
    expect(finding?.found).toContain("does not respond");
    const [hiding] = await inspectConnection({ baseUrl: baseUrl.replace("//", "//user:s3cr3t@") });
    expect(hiding).toMatchObject({ status: "missing" });
    expect(JSON.stringify(hiding)).not.toContain("s3cr3t");
    expect(await inspectConnection({ baseUrl: "localhost" })).toMatchObject([{ status: "missing" }]);
  });
});

describe("the machine check", () => {
  it("reports the installed programs", async () => {
    const { folder, env } = emptyMachine();
    for (const name of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
      await executable(join(folder, "path", name), "#!/bin/sh\n");
    }
    const pulumi = await executable(join(folder, "path/pulumi"), "#!/bin/sh\necho v3.300.0\n");
    const findings = await inspect(env);
    expect(named(findings, "Pulumi CLI")).toMatchObject({ status: "ok", found: `3.300.0 at ${pulumi}` });
    expect(named(findings, "Node.js language host")).toMatchObject({ status: "ok" });
    expect(findings.every(({ status }) => status === "ok")).toBe(true);
  });

  it("reports missing programs with remedies, and installs nothing", async () => {
    const { env } = emptyMachine();
    const findings = await inspect({ ...env, PULUMI_BIN: "/does/not/exist" });
    expect(named(findings, "Pulumi of PULUMI_BIN")).toMatchObject({
      status: "warning",
      found: "not used: /does/not/exist does not exist",
    });
    expect(named(findings, "Pulumi CLI")?.status).toBe("warning");
    expect(named(findings, "Pulumi CLI")?.remedy).toContain("install Pulumi");
    for (const { status, remedy } of findings) expect(status === "ok" || remedy).toBeTruthy();
  });
});

describe("the doctor command", () => {
  async function run(options: Parameters<typeof runDoctor>[0]) {
    const { io, written } = testIo();
    const code = await runDoctor(options, io);
    return { code, output: written().stdout };
  }

  it("prints one JSON document and exits with 1 if something is missing", async () => {
    const { code, output } = await run({ json: true, baseUrl: "http://127.0.0.1:1" });
    const { healthy, findings } = JSON.parse(output) as { healthy: boolean; findings: ToolchainCheck[] };
    expect([code, healthy]).toEqual([1, false]);
    expect(named(findings, "connection")?.status).toBe("missing");
  });

  it("prints a table and remedies", async () => {
    const { output } = await run({});
    expect(output).toContain("Pulumi CLI");
    expect(output).toContain("- connection: choose a connection");
  });
});
