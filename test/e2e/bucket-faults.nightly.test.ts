/**
 * Lets the bucket of a state refuse, fail, delay and lose requests in the middle of an `up` and a `destroy`: nothing that was acknowledged is
 * forgotten, and the next command continues. Needs a build and Go.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingGo } from "./language-hosts.js";
import { type ObjectStore, objectStoreForTests } from "./s3.js";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const skip = await missingGo();
const GROUPS = 16;

type Fault = 403 | 500 | 503 | "slow" | "lost";

/** A proxy that injects faults into some of the requests that write. */
class FaultyProxy {
  private fault: Fault | undefined;
  private skip = 0;
  private count = 0;
  port = 0;
  injected = 0;
  private readonly server = createServer((incoming, outgoing) => void this.handle(incoming, outgoing));

  constructor(private readonly target: number) {}

  async listen(): Promise<void> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** @param skip requests that are spared before */
  inject(fault: Fault | undefined, skip = 0, count = 0): void {
    Object.assign(this, { fault, skip, count, injected: 0 });
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    const fault = incoming.method === "GET" || incoming.method === "HEAD" ? undefined : this.next();
    if (typeof fault === "number") {
      outgoing.writeHead(fault, { "content-type": "application/xml" });
      outgoing.end(`<Error><Code>${fault === 403 ? "AccessDenied" : "SlowDown"}</Code></Error>`);
      return;
    }
    if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { method, url: path, headers } = incoming;
    const passed = request({ host: "127.0.0.1", port: this.target, method, path, headers }, (response) => {
      if (fault === "lost") return void outgoing.destroy();
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    passed.end(Buffer.concat(body));
  }

  private next(): Fault | undefined {
    if (this.fault === undefined || this.skip-- > 0 || this.count-- <= 0) return undefined;
    this.injected++;
    return this.fault;
  }
}

let store: ObjectStore;
let proxy: FaultyProxy;
beforeAll(async () => {
  if (skip !== undefined) return;
  store = await objectStoreForTests();
  proxy = new FaultyProxy(Number(/127\.0\.0\.1:(\d+)/.exec(store.backend)?.[1]));
  await proxy.listen();
}, 600_000);
afterAll(() => proxy.close());

const faults = ([403, 500, 503, "slow", "lost"] as const).flatMap((fault) =>
  [0, 2, 5, 9, 14].map((after) => ({ fault, after })),
);

describe.skipIf(skip !== undefined)("a bucket", { timeout: 400_000 }, () => {
  it.each(faults)("that responds with $fault after $after writes loses nothing", async ({ fault, after }) => {
    const folder = temporaryFolder();
    const stack = `s${fault}-${after}`;
    const emulator = await emulatorForTests({ latencyMs: 5 });
    const backend = store.backend.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
    const env = isolated(folder, { ...connected(emulator), ...store.env, PULUMI_BACKEND_URL: backend });
    const run = (...argv: string[]) => workspacectl([...argv, "--stack", stack], folder, env);
    const names = async () => {
      const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups?per_page=100" });
      return (body as { groups: { name: string }[] }).groups.map(({ name }) => name);
    };
    const declare = (groups: number) =>
      writeFileSync(
        join(folder, "workspace.yaml"),
        `version: 1\nworkspace: acme\ngroups:\n${Array.from({ length: groups }, (_, n) => `  G${n}: { description: Group ${n} }\n`).join("")}`,
      );
    proxy.inject(undefined);
    declare(2);
    expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
    declare(GROUPS);
    for (const [command, objects] of [
      [["up", "--yes"], GROUPS],
      [["destroy", "--yes", "--allow-delete", "**"], 0],
    ] as const) {
      // A refusal does not end by itself.
      proxy.inject(fault, after, fault === 403 ? 1_000 : 6);
      const faulty = await run(...command);
      proxy.inject(undefined);
      const before = new Set(await names());
      if (faulty.code === 0) expect(before.size).toBe(objects);
      const next = await run("preview");
      expect(next.code, `${faulty.stderr}\n${next.stderr}`).toBe(0);
      const again = await run(...command);
      expect(again.code, `${faulty.stderr}\n${again.stderr}`).toBe(0);
      expect([new Set(await names()).size, (await names()).length]).toEqual([objects, objects]);
    }
    for (const left of ["workspacectl/journal", "workspacectl/lock-holders", "locks/organization"])
      expect(await store.keys(`.pulumi/${left}/workspace-automation/${stack}/`)).toEqual([]);
  });
});
