/** Tests the cleanup of idle dynamic provider hosts whose engine has ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endIdleHosts } from "../../recovery/idle-hosts.js";

const folder = mkdtempSync(join(tmpdir(), "hosts-"));
const script = join(folder, "dynamic-provider", "index.js");
const engine = "127.0.0.1:4711";
const started: ChildProcess[] = [];
let service: Server;

beforeAll(async () => {
  mkdirSync(join(folder, "dynamic-provider"));
  // Listens as Pulumi's host does. A busy host also has a connection to a service.
  const host = `const { connect, createServer } = require("net"); const [, port, ready] = process.argv.slice(2);
    const done = () => require("fs").writeFileSync(ready, "");
    createServer().listen(0, "127.0.0.1", () => port ? connect(Number(port), "127.0.0.1", done) : done());`;
  writeFileSync(script, host);
  service = createServer().listen(0, "127.0.0.1");
  await once(service, "listening");
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function host(address: string, port = ""): Promise<ChildProcess> {
  const ready = join(folder, `ready-${started.length}`);
  const child = spawn(process.execPath, [script, address, port, ready], { stdio: "ignore" });
  started.push(child);
  await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 60_000 });
  return child;
}

describe.skipIf(!existsSync("/proc/self/fd"))("after an engine was killed", () => {
  it("idle hosts of the engine are terminated, but not busy ones or those of other engines", async () => {
    const idle = await host(engine);
    const busy = await host(engine, String((service.address() as AddressInfo).port));
    const other = await host("127.0.0.1:4712");
    const ended = once(idle, "exit");
    endIdleHosts(engine);
    expect(await ended).toEqual([null, "SIGTERM"]);
    const again = await host(engine);
    const endedToo = once(again, "exit");
    endIdleHosts(engine);
    await endedToo;
    // The other hosts also survive a second round.
    expect([busy, other].map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("nothing happens if processes cannot be listed", () => {
    expect(() => endIdleHosts(engine, join(folder, "no-proc"))).not.toThrow();
  });
});
