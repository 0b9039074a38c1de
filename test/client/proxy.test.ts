/** Tests requests through a proxy that the environment names. */
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../client/index.js";
import { failure } from "./helpers.js";
import { client, closeAfterEach, serve, user } from "./local-servers.js";

closeAfterEach();

describe("a proxy in the environment", () => {
  /** Starts a proxy that directs every tunnel to one server and records the requested addresses. */
  async function proxyTo(port: number) {
    const asked: string[] = [];
    const server = createServer();
    server.on("connect", (request, socket: Socket) => {
      asked.push(request.url ?? "");
      const through = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        through.pipe(socket).pipe(through);
      });
      socket.on("error", () => through.destroy());
    });
    const { baseUrl } = await serve(() => {}, server);
    return { url: baseUrl, asked };
  }

  it("is used for requests to other machines", async () => {
    const { baseUrl } = await serve(user);
    const proxy = await proxyTo(Number(new URL(baseUrl).port));
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const c = client("http://workspace.invalid/api", { allowInsecure: true });
    expect(await c.user.get()).toEqual({ id: 1 });
    expect(proxy.asked).toEqual(["workspace.invalid:80"]);
  });

  it("may be written as host and port, and an empty variable is none", async () => {
    const { baseUrl } = await serve(user);
    const proxy = await proxyTo(Number(new URL(baseUrl).port));
    vi.stubEnv("HTTP_PROXY", new URL(proxy.url).host);
    vi.stubEnv("http_proxy", "");
    const c = client("http://workspace.invalid/api", { allowInsecure: true });
    expect(await c.user.get()).toEqual({ id: 1 });
    expect(proxy.asked).toEqual(["workspace.invalid:80"]);
  });

  /** Starts a proxy with one answer to each tunnel, and counts them. */
  async function proxyThat(answers: (socket: Socket) => void) {
    const tunnels: string[] = [];
    const server = createServer();
    server.on("connect", ({ url = "" }, socket: Socket) => {
      tunnels.push(url);
      answers(socket);
    });
    vi.stubEnv("HTTPS_PROXY", (await serve(() => {}, server)).baseUrl);
    return tunnels;
  }
  const create = (options: Partial<ClientOptions> = {}) =>
    client("https://refused.invalid", { retry: { limit: 1 }, ...options }).groups.create("acme", {
      name: "QA",
    });

  it("is named when it refuses, and a POST is sent again", async () => {
    const tunnels = await proxyThat((socket) => socket.end("HTTP/1.1 503 Busy\r\n\r\n"));
    const error = await failure(create(), "network");
    expect(error.message).toMatch("cannot reach https://refused.invalid: the proxy refuses (PROXY_503)");
    expect(error.mayHaveBeenApplied).toBe(false);
    expect(tunnels).toHaveLength(2);
  });

  it("is asked once when it wants a password", async () => {
    const tunnels = await proxyThat((socket) =>
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
    );
    const error = await failure(create(), "network");
    expect(error.message).toMatch(
      "the proxy wants a user and a password (PROXY_407). Write them into its address",
    );
    expect(tunnels).toHaveLength(1);
  });

  it("gets as long for its answer as a connection, and what it did not answer was not applied", async () => {
    const tunnels = await proxyThat(() => undefined);
    const error = await failure(create({ timeouts: { connectMs: 50 } }), "timeout");
    expect(error.message).toMatch("cannot reach https://refused.invalid: the proxy does not answer");
    expect(error.mayHaveBeenApplied).toBe(false);
    expect(tunnels).toHaveLength(2);
  });

  it("has an address that can be read", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://us er:secret@[");
    const error = await failure(create(), "network");
    expect(error.message).toMatch("a proxy whose address cannot be read");
    expect(error.message).not.toContain("secret");
  });

  it("is not used for hosts in NO_PROXY", async () => {
    const proxy = await proxyTo(1);
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    vi.stubEnv("NO_PROXY", "workspace.invalid");
    await failure(client("https://workspace.invalid", { retry: { limit: 0 } }).user.get(), "network");
    expect(proxy.asked).toEqual([]);
  });

  it("is not used for this machine", async () => {
    const { baseUrl } = await serve(user);
    const proxy = await proxyTo(1);
    vi.stubEnv("HTTP_PROXY", proxy.url);
    expect(await client(baseUrl).user.get()).toEqual({ id: 1 });
    expect(proxy.asked).toEqual([]);
  });
});
