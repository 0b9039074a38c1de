/** Tests who may call a port on the loopback interface, with real processes of this and of another user. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type grpc from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { handleUnary } from "../../provider/adapters/grpc.js";
import { serve, type ServeOptions, type Server } from "../../provider/adapters/grpc-server.js";
import { watchPeers } from "../../trust/peers.js";
import { type Call, callFrom, OTHER_USER, pidOfCaller, whyNoOtherUser } from "./callers.js";

/** Above the largest process id of Linux. */
const NO_PROCESS = 4_194_305;
const PATH = "/test.Echo/Echo";
const echo: grpc.ServiceDefinition = {
  echo: {
    path: PATH,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: Buffer) => value,
    requestDeserialize: (value: Buffer) => value,
    responseSerialize: (value: Buffer) => value,
    responseDeserialize: (value: Buffer) => value,
  },
};

let server: Server;
let [calls, refusals]: [number, string[]] = [0, []];
afterEach(() => server.close());

async function listen(options: ServeOptions = {}): Promise<void> {
  // Late refusals of one test do not count in the next one.
  const own: string[] = [];
  [calls, refusals] = [0, own];
  const service = {
    echo: handleUnary((request: Buffer) => {
      calls += 1;
      return request;
    }),
  };
  server = await serve([[echo, service]], { onRefused: (reason) => own.push(reason), ...options });
}

const call = (user: number | undefined, more: Partial<Call> = {}) =>
  callFrom(user, { port: server.port, path: PATH, message: Buffer.from("hello"), ...more });

describe("a port without an engine", () => {
  it("may be called by processes of the same user", async () => {
    await listen();
    expect(await call(undefined)).toBe("status 0");
    expect(await call(undefined, { host: "::ffff:127.0.0.1" })).toBe("status 0");
    expect({ calls, refusals }).toEqual({ calls: 2, refusals: [] });
  });

  it.skipIf(whyNoOtherUser !== undefined)(
    `is closed to another user ${whyNoOtherUser ?? ""}`.trim(),
    async () => {
      await listen();
      expect(await call(OTHER_USER)).toBe("closed");
      expect(await call(OTHER_USER, { host: "::ffff:127.0.0.1" })).toBe("closed");
      expect(calls).toBe(0);
      expect(refusals).toHaveLength(2);
      expect(refusals[0]).toMatch(
        /^a connection from 127\.0\.0\.1:\d+ to the port .* was refused, because .* runs as another user \(number 65534\)\. .* Nothing was done/,
      );
      expect(await call(undefined)).toBe("status 0");
    },
  );

  it.skipIf(whyNoOtherUser !== undefined)(
    "reads nothing from another user who closes the connection at once",
    async () => {
      await listen();
      await Promise.all(Array.from({ length: 20 }, () => call(OTHER_USER, { isHasty: true })));
      await expect.poll(() => refusals.length).toBeGreaterThan(0);
      expect(calls).toBe(0);
    },
  );

  it.skipIf(whyNoOtherUser !== undefined)(
    "distinguishes another user who has the same port at another address",
    async () => {
      await listen();
      const own = connect({ port: server.port, host: "127.0.0.1", localAddress: "127.0.0.1" });
      await new Promise((resolve) => own.once("connect", resolve));
      const { localPort } = own as Socket & { localPort: number };
      expect(await call(OTHER_USER, { localAddress: "127.0.0.2", localPort })).toBe("closed");
      expect({ calls, refused: refusals.length }).toEqual({ calls: 0, refused: 1 });
      own.destroy();
    },
  );
});

describe.skipIf(whyNoOtherUser !== undefined)("a connection of another user whose process has ended", () => {
  it("is refused, although the system no longer says whose it was", async () => {
    const accepted: Socket[] = [];
    const open = createServer({ pauseOnConnect: true }, (socket) => accepted.push(socket));
    await new Promise<void>((resolve) => open.listen(0, "127.0.0.1", resolve));
    const { port } = open.address() as AddressInfo;
    await callFrom(OTHER_USER, { port, path: PATH, isHasty: true });
    const [socket] = accepted;
    if (socket === undefined) throw new Error("there was no connection");
    await expect(watchPeers(port).admit(socket)).rejects.toThrow(/refused/);
    socket.destroy();
    open.close();
  });
});

describe.skipIf(process.platform !== "linux")("the port of an operation", () => {
  it("may be called by the engine and the processes that it starts", async () => {
    let started: (pid: number) => void = () => {};
    await listen({ engine: new Promise((resolve) => (started = resolve)) });
    const [direct, pid] = [call(undefined), pidOfCaller()];
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Nobody is admitted before the engine is known.
    expect(calls).toBe(0);
    started(pid);
    expect(await direct).toBe("status 0");
    server.close();

    await listen({ engine: new Promise((resolve) => (started = resolve)) });
    const below = callFrom(undefined, { port: server.port, path: PATH }, true);
    started(pidOfCaller());
    expect(await below).toBe("status 0");
  });

  it("is closed to other processes of the same user", async () => {
    await listen({ engine: Promise.resolve(NO_PROCESS) });
    expect(await call(undefined)).toBe("closed");
    expect({ calls, refusals }).toEqual({
      calls: 0,
      refusals: [expect.stringContaining("because the program at the other end is not that Pulumi")],
    });
  });
});

describe.skipIf(process.platform !== "linux")("the server of the engine", () => {
  it("is one at which its process listens", async () => {
    await listen();
    const { port } = server;
    await watchPeers(port, Promise.resolve(process.pid)).admitServer(`127.0.0.1:${port}`);
    await expect(
      watchPeers(port, Promise.resolve(NO_PROCESS)).admitServer(`127.0.0.1:${port}`),
    ).rejects.toThrow("the program at the other end is not that Pulumi");
    const peers = watchPeers(port);
    for (const address of [
      "10.0.0.1:80",
      "example.com:80",
      "127.0.0.1:1@example.com:80",
      `127.0.0.2:${port}`,
      "",
    ])
      await expect(peers.admitServer(address)).rejects.toThrow("that is not an address of this machine");
  });

  it("is not one that has ended", async () => {
    await listen();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    await watchPeers(server.port).admitServer(address);
    await new Promise((resolve) => other.close(resolve));
    await expect(watchPeers(server.port).admitServer(address)).rejects.toThrow("the system does not say");
  });
});

describe("where the system tells nothing", () => {
  it("every process may call, because none can be told apart", async () => {
    await listen();
    // Nobody listens there, so the table lacks what must be in it.
    const peers = watchPeers(1, Promise.resolve(NO_PROCESS));
    await peers.admit({ remoteAddress: "127.0.0.1", remotePort: 2, localAddress: "127.0.0.1", localPort: 1 });
    await expect(peers.admitServer("10.0.0.1:80")).rejects.toThrow("that is not an address of this machine");
  });
});
