/** Tests the permission to send, which may end while a request waits for its connection. */
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, WorkspaceAutomationClient } from "../../client/index.js";
import { FakeClock, listen as startListening, type Listening } from "./helpers.js";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function listen(server: Server): Promise<Listening> {
  const listening = await startListening(server);
  cleanUp.push(listening.close);
  return listening;
}

let serial = 0;

function client(baseUrl: string, options: Partial<ClientOptions>): WorkspaceAutomationClient {
  const token = `permit-${++serial}`;
  const made = new WorkspaceAutomationClient({ baseUrl, token, clock: new FakeClock(), ...options });
  cleanUp.push(() => made.close());
  return made;
}

/** A permit that ends as soon as something happens, and is given `again` times. */
function permitUntil(again: number) {
  const permit = {
    isCertain: true,
    asked: 0,
    end: () => void (permit.isCertain = false),
    async ensure() {
      if (permit.asked++ > again) throw new Error("the lock is another run's");
      permit.isCertain = true;
      await new Promise(setImmediate);
    },
  };
  return permit;
}

describe("a permit that ends while a request waits for its connection", () => {
  /** The service, and whether it got anything. */
  async function serveTo(permit: ReturnType<typeof permitUntil>) {
    const requests: string[] = [];
    const { baseUrl, sockets } = await listen(
      createServer(({ method, url }, response) => {
        requests.push(`${method} ${url}`);
        response.end('{"id":1,"name":"QA"}');
      }),
    );
    const proxy = createServer();
    // A tunnel through a proxy, so that the permit ends while it is opened.
    proxy.on("connect", (_, socket: Socket) => {
      permit.end();
      const through = connect(Number(new URL(baseUrl).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        through.pipe(socket).pipe(through);
      });
      socket.on("error", () => through.destroy());
    });
    vi.stubEnv("HTTP_PROXY", (await listen(proxy)).baseUrl);
    const c = client("http://workspace.invalid/api", { allowInsecure: true, permit });
    return { c, requests, sockets };
  }

  it("is asked for again, and the request is sent once, on the same connection", async () => {
    const permit = permitUntil(1);
    const { c, requests, sockets } = await serveTo(permit);
    expect(await c.groups.create("acme", { name: "QA" })).toMatchObject({ id: 1 });
    expect([permit.asked, requests, sockets.size]).toEqual([2, ["POST /api/workspaces/acme/groups"], 1]);
  });

  it("and is not given again: nothing is sent, and its error is the reason", async () => {
    const { c, requests } = await serveTo(permitUntil(0));
    const calls = ["A", "B", "C"].map((name) => c.groups.create("acme", { name }));
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ reason: { message: "the lock is another run's" } });
    expect(requests).toEqual([]);
  });

  it("is asked for immediately before a fetch of the caller's own", async () => {
    const permit = {
      asked: 0,
      ensure: () => void permit.asked++,
      get isCertain() {
        return permit.asked > 1;
      },
    };
    const { baseUrl } = await listen(createServer((_, response) => void response.end('{"id":1}')));
    expect(await client(baseUrl, { fetch, permit }).user.get()).toEqual({ id: 1 });
    expect(permit.asked).toBe(2);
  });

  it("is asked for before a response that came meanwhile is used, which is true in any case", async () => {
    const permit = permitUntil(0);
    const answered: string[] = [];
    const { baseUrl } = await listen(
      createServer((_, response) => {
        permit.end();
        response.end('{"id":1}');
      }),
    );
    const c = client(baseUrl, { permit, onExchange: () => answered.push(`asked ${permit.asked} times`) });
    expect(await c.user.get()).toEqual({ id: 1 });
    expect(answered).toEqual(["asked 2 times"]);
    await expect(c.user.get()).rejects.toThrow("the lock is another run's");
  });
});
