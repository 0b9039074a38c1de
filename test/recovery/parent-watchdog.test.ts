/** Tests that a provider ends with its engine. */
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { follow, parseEngineAddress } from "../../recovery/parent-watchdog.js";

describe("a provider whose engine has ended", () => {
  it("ends too", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const address = parseEngineAddress(`127.0.0.1:${port}`);
    const left = new Promise<void>((resolve) => {
      server.on("connection", (socket) => {
        server.close();
        socket.destroy();
      });
      follow(address ?? { host: "", port: 0 }, resolve);
    });
    await left;
  });

  it("is recognized only by a valid engine address", () => {
    expect(parseEngineAddress()).toBeUndefined();
    expect(parseEngineAddress("up")).toBeUndefined();
    expect(parseEngineAddress("[::1]:4711")).toEqual({ host: "::1", port: 4711 });
    for (const foreign of ["192.0.2.1:80", "[2001:db8::1]:80", "example.com:80", "127.0.0.1.example.com:80"])
      expect(parseEngineAddress(foreign), foreign).toBeUndefined();
    expect(parseEngineAddress("127.0.0.1:99999")).toBeUndefined();
  });
});
