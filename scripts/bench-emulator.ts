/**
 * Compares the requests per second of the built emulator with those of the HTTP framework alone, which returns the same bytes on
 * loopback: `npm run bench -- emulator --objects 10000`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Fastify from "fastify";
import { Pool } from "undici";
import { startService } from "./bench/service.js";

const CONNECTIONS = 10;
const WARM_UP = 5000;
const ROUNDS = 5;
const LEAST = 0.6;
const { values } = parseArgs({ options: { objects: { type: "string", default: "10000" } } });
const objects = Number(values.objects);

if (process.send) await serveBare(process.send.bind(process));
else await compare();

/** Serves the framework alone, which returns stored bytes for each key. */
async function serveBare(send: (message: unknown) => void): Promise<void> {
  const app = Fastify();
  const texts = new Map<string, string>();
  app.post<{ Body: { key: string; text: string } }>("/set", { bodyLimit: 1e8 }, ({ body }) => {
    texts.set(body.key, body.text);
    return {};
  });
  // As many bytes of headers as the emulator's.
  const headers = {
    "access-control-allow-origin": "*",
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": "Content-Type, Authorization",
    "x-rate-limit-limit": "1000000000",
    "x-rate-limit-remaining": "999999999",
    "x-rate-limit-reset": "1795264926",
    "content-type": "application/json; charset=utf-8",
  };
  app.all<{ Params: { key: string } }>("/text/:key", ({ method, params }, reply) =>
    reply
      .code(method === "POST" ? 201 : 200)
      .headers(headers)
      .send(texts.get(params.key)),
  );
  await app.listen({ port: 0 });
  send(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
}

type Call = (method: "GET" | "POST", path: string, body?: unknown) => Promise<string>;

function createCaller(baseUrl: string, token = ""): Call {
  const pool = new Pool(new URL(baseUrl).origin, { connections: CONNECTIONS });
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  return async (method, path, body) => {
    const { statusCode, body: received } = await pool.request({
      method,
      path: prefix + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await received.text();
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return text;
  };
}

/** Keeps all connections busy until as many calls were made, or for a time. Returns the calls per second. */
async function measureRate(one: () => Promise<unknown>, goOn: (count: number, elapsed: number) => boolean) {
  const began = performance.now();
  let count = 0;
  const worker = async () => {
    while (goOn(count, performance.now() - began)) {
      count += 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (count * 1000) / (performance.now() - began);
}

async function compare(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "bench-emulator-"));
  const bareProcess = fork(import.meta.filename, { execArgv: process.execArgv });
  const [bareUrl] = (await once(bareProcess, "message")) as [string];
  const bare = createCaller(bareUrl);
  const service = await startService({ data });
  const call = createCaller(service.baseUrl, service.token);
  const base = "/workspaces/acme";
  let created = 0;
  await measureRate(
    () => call("POST", `${base}/projects`, { name: `p${created++}` }),
    (count) => count < objects,
  );
  const group = { name: "QA", description: "Testers" };
  const random = (limit: number) => Math.floor(Math.random() * limit);
  const cases: [string, "GET" | "POST", () => Promise<string>][] = [
    ["GET one", "GET", () => call("GET", `${base}/projects/p${random(objects)}`)],
    [
      "GET list of 100",
      "GET",
      () => call("GET", `${base}/projects?per_page=100&page=${1 + random(objects / 100)}`),
    ],
    ["POST create", "POST", () => call("POST", `${base}/groups`, group)],
  ];
  process.stdout.write(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, ${objects} projects, ${CONNECTIONS} connections, on disk\n`,
  );
  const ratios: number[] = [];
  for (const [name, method, one] of cases) {
    await bare("POST", "/set", { key: "a", text: await one() });
    const plain = () => bare(method, "/text/a", method === "POST" ? group : undefined);
    // Counts calls instead of time, because little code is compiled in a given time on a busy machine.
    for (const work of [plain, one]) await measureRate(work, (count) => count < WARM_UP);
    // The best of alternating rounds counts, because other load on the machine can only slow them down.
    const best = { bare: 0, emulator: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      best.bare = Math.max(best.bare, await measureRate(plain, (_count, elapsed) => elapsed < 600));
      best.emulator = Math.max(best.emulator, await measureRate(one, (_count, elapsed) => elapsed < 600));
    }
    ratios.push(best.emulator / best.bare);
    const [own, floor] = [best.emulator, best.bare].map((each) => each.toFixed(0).padStart(6));
    process.stdout.write(
      `${name.padEnd(16)} ${own}/s  bare ${floor}/s  ratio ${ratios.at(-1)?.toFixed(2)}\n`,
    );
  }
  service.close();
  bareProcess.kill();
  rmSync(data, { recursive: true, force: true });
  if ((ratios[0] ?? 0) < LEAST) {
    process.stderr.write(`GET one is below ${LEAST} of the bare framework\n`);
    process.exitCode = 1;
  }
  process.exit();
}
