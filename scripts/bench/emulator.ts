/**
 * `npm run bench -- emulator --objects 10000`: compares the built emulator with the HTTP framework alone, which returns the same bytes on
 * loopback.
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
import { callInParallel, comparePair } from "./pairs.js";
import { startService } from "./service.js";

const CONNECTIONS = 10;
const CALLS = 5000;
const ROUNDS = 9;
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

async function compare(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "bench-emulator-"));
  const bareProcess = fork(import.meta.filename, { execArgv: process.execArgv });
  const [bareUrl] = (await once(bareProcess, "message")) as [string];
  const callBare = createCaller(bareUrl);
  const service = await startService({ data });
  const call = createCaller(service.baseUrl, service.token);
  const base = "/workspaces/acme";
  let created = 0;
  await callInParallel(objects, CONNECTIONS, () =>
    call("POST", `${base}/projects`, { name: `p${created++}` }),
  );
  const group = { name: "QA", description: "Testers" };
  const random = (limit: number) => Math.floor(Math.random() * limit);
  const list = () => `${base}/projects?per_page=100&page=${1 + random(objects / 100)}`;
  const cases = [
    { what: "GET one", get: () => call("GET", `${base}/projects/p${random(objects)}`), least: 0.6 },
    { what: "GET list of 100", get: () => call("GET", list()) },
    { what: "POST create", get: () => call("POST", `${base}/groups`, group), body: group },
  ];
  const machine = `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`;
  process.stdout.write(`${machine}, ${objects} projects, ${CONNECTIONS} connections, on disk\n`);
  for (const { get, body, ...one } of cases) {
    await callBare("POST", "/set", { key: "a", text: await get() });
    const answer = () => callBare(body ? "POST" : "GET", "/text/a", body);
    const repeat = (each: () => Promise<unknown>) => () => callInParallel(CALLS, CONNECTIONS, each);
    await comparePair({ ...one, calls: CALLS, own: repeat(get), bare: repeat(answer) }, ROUNDS, 2);
  }
  service.close();
  bareProcess.kill();
  rmSync(data, { recursive: true, force: true });
  process.exit();
}
