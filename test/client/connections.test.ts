/** Tests HTTP connections. */
import { createServer as createTlsServer } from "node:https";
import { execa } from "execa";
import { generate } from "selfsigned";
import { describe, expect, it, vi } from "vitest";
import { failure, FakeClock } from "./helpers.js";
import { cleanUp, client, closeAfterEach, serve, user } from "./local-servers.js";

closeAfterEach();

/* Tests the built-in connections with local servers. */

describe("connections", () => {
  it("are reused", async () => {
    const { baseUrl, sockets } = await serve(user);
    const c = client(baseUrl);
    for (let i = 0; i < 20; i++) await c.user.get();
    // A second one is possible, since the next request may start before the previous connection is free.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it("are shared by clients of one origin until the last one is closed", async () => {
    const { baseUrl, sockets } = await serve(user);
    const [one, two] = [client(baseUrl), client(`${baseUrl}/api`)];
    await one.user.get();
    await one.close();
    for (let i = 0; i < 20; i++) await two.user.get();
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it("do not exceed maxConcurrency", async () => {
    let now = 0;
    let most = 0;
    const { baseUrl, sockets } = await serve((_, response) => {
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        response.end('{"id":1}');
      });
    });
    const c = client(baseUrl, { maxConcurrency: 4 });
    await Promise.all(Array.from({ length: 40 }, () => c.user.get()));
    expect(most).toBeLessThanOrEqual(4);
    expect(sockets.size).toBeLessThanOrEqual(4);
  });

  it("may share one abort signal without a warning", async () => {
    const { baseUrl } = await serve((_, response) => void setTimeout(() => response.end('{"id":1}'), 5));
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    cleanUp.push(() => process.off("warning", warn));
    const { signal } = new AbortController();
    const c = client(baseUrl, { maxConcurrency: 20 });
    await Promise.all(Array.from({ length: 40 }, () => c.user.get({ signal })));
    expect(warnings).toEqual([]);
  });

  it("send the caller's user agent and that of this package", async () => {
    let agent: string | undefined;
    const { baseUrl } = await serve((request, response) => {
      agent = request.headers["user-agent"];
      response.end('{"id":1}');
    });
    await client(baseUrl, { userAgent: "deploy-bot/2" }).user.get();
    expect(agent).toMatch(/^deploy-bot\/2 pulumi-workspace-automation\/\d+\.\d+\.\d+ \(node v\d+/);
  });

  it("do not keep a process alive", async () => {
    const { baseUrl } = await serve(user);
    const program = `
      import { WorkspaceAutomationClient } from "./client/index.ts";
      const client = new WorkspaceAutomationClient({ baseUrl: "${baseUrl}", token: "t" });
      console.log((await client.user.get()).id);`;
    const { stdout } = await execa("node", ["--import", "tsx", "--input-type=module", "-e", program]);
    expect(stdout).toBe("1");
  });
});

describe("timeouts", () => {
  const noRetry = { retry: { limit: 0 } };

  it("apply to a missing response", async () => {
    const { baseUrl } = await serve(() => {});
    const error = await failure(
      client(baseUrl, { ...noRetry, timeouts: { headersMs: 50 } }).user.get(),
      "timeout",
    );
    expect(error.message).toBe(
      "GET /user: no response in time. Try again, or allow more time: --timeout of workspacectl, timeouts in code.",
    );
  });

  it("apply to an incomplete response", async () => {
    const { baseUrl } = await serve((_, response) => void response.write('{"id":'));
    const error = await failure(
      client(baseUrl, { ...noRetry, timeouts: { bodyMs: 50 } }).user.get(),
      "timeout",
    );
    expect(error.message).toMatch("the response stopped before its end");
  });

  it("apply to a slow response without an end", async () => {
    const { baseUrl } = await serve((_, response) => {
      response.write('{"id":');
      const drip = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(drip));
    });
    for (const own of [{}, { fetch }]) {
      const options = { ...noRetry, ...own, timeouts: { answerMs: 100 } };
      const error = await failure(client(baseUrl, options).user.get(), "timeout");
      expect(error.message).toMatch("the response was not complete in time");
    }
  });

  it("apply to a custom fetch too", async () => {
    const { baseUrl } = await serve(() => {});
    const timeouts = { connectMs: 10, headersMs: 20, bodyMs: 20 };
    await failure(client(baseUrl, { ...noRetry, timeouts, fetch }).user.get(), "timeout");
  });
});

describe("an endless response", () => {
  it("is neither read into memory nor requested again", async () => {
    let asked = 0;
    let closed = false;
    const piece = Buffer.alloc(1 << 20, 32);
    const { baseUrl } = await serve((_, response) => {
      asked++;
      response.on("close", () => (closed = true));
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    });
    const error = await failure(client(baseUrl).user.get(), "invalid-response");
    expect(error.message).toContain("the response is larger than 64 MB and was not read completely");
    expect(asked).toBe(1);
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 600_000 });
  });
});

describe("an unreachable service", () => {
  it("is reported with its address, and where that is set", async () => {
    const { baseUrl } = await serve(user);
    await cleanUp.pop()?.();
    const options = { retry: { limit: 0 }, addressSource: "a variable" };
    const error = await failure(client(baseUrl, options).user.get(), "network");
    expect(error.message).toBe(
      `GET /user: cannot reach ${baseUrl}: connection refused (ECONNREFUSED). Check the base address, the network and the proxy settings. The base address is ${baseUrl} (from a variable).`,
    );
  });
});

describe("a service without TLS", () => {
  it("is reported at once", async () => {
    const { baseUrl } = await serve(user);
    const clock = new FakeClock();
    const error = await failure(client(baseUrl.replace("http:", "https:"), { clock }).user.get(), "network");
    expect(error.message).toMatch("it does not respond with HTTPS as expected");
    expect(error.remedy).toMatch("right one of https:// and http://");
    expect(clock.sleeps).toEqual([]);
  });
});

describe("certificates", () => {
  async function serveTls() {
    const pems = await generate([{ name: "commonName", value: "localhost" }], {
      extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
    });
    const server = createTlsServer({ key: pems.private, cert: pems.cert });
    const { baseUrl } = await serve(user, server);
    return { baseUrl: baseUrl.replace("http:", "https:"), cert: pems.cert };
  }

  it("of an unknown authority are refused at once, with the way to trust it", async () => {
    const { baseUrl } = await serveTls();
    const clock = new FakeClock();
    const error = await failure(client(baseUrl, { clock }).user.get(), "network");
    expect(error.message).toMatch(
      /certificate of https:\/\/127.0.0.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    expect(error.remedy).toMatch("NODE_EXTRA_CA_CERTS");
    expect(clock.sleeps).toEqual([]);
  });

  it("are trusted when their authority is configured", async () => {
    const { baseUrl, cert } = await serveTls();
    expect(await client(baseUrl, { ca: cert }).user.get()).toEqual({ id: 1 });
  });
});

describe("the debug output", () => {
  it("has one line for each request, without query and secrets", async () => {
    let requests = 0;
    const { baseUrl } = await serve((_, response) => {
      response.setHeader("x-rate-limit-limit", "5000");
      response.setHeader("x-rate-limit-remaining", "4999");
      response.setHeader("x-rate-limit-reset", "1893456000");
      if (++requests === 1) response.statusCode = 503;
      response.end('{"variables":[{"id":1,"key":"API_KEY","value":"s3cr3t"}]}');
    });
    const lines: string[] = [];
    const c = client(baseUrl, { debug: (line) => lines.push(line), token: "the-token" });
    await c.variables.list("acme", { projectName: "web" }).toArray();
    expect(lines).toEqual([
      "GET /workspaces/acme/variables 503 0ms attempt=1 remaining=4999",
      "GET /workspaces/acme/variables 200 0ms attempt=2 remaining=4999",
      "GET /workspaces/acme/variables 200 0ms attempt=1 remaining=4999",
    ]);
  });
});
