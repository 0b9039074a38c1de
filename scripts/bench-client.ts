/*
 * `npm run bench:client`: what the client costs over bare undici, as ratios of requests per second against the same
 * emulator (in a process of its own) in one run. Rounds of the two alternate; the median of the pairs counts.
 * It measures the built package, as users have it.
 */
import { fork } from "node:child_process";
import { Pool } from "undici";
import type * as ClientModule from "../client/index.js";
import type * as EmulatorModule from "../emulator/index.js";

const CALLERS = 16;
const GETS = 6000;
const OBJECTS = 2000;
const PAGES = OBJECTS / 100 + 1;
const LISTS = 20;
const ROUNDS = 15;
const LEAST = 0.8;

interface Service {
  baseUrl: string;
  token: string;
  domain: string;
}

interface Load {
  requests: number;
  run: () => Promise<void>;
}

const built = (entry: string): Promise<unknown> => import(`pulumi-workspace-automation/${entry}`);

if (process.argv[2] === "serve") await serve();
else await bench();

async function serve(): Promise<void> {
  const variables = Array.from({ length: OBJECTS }, (_, i) => ({ key: `KEY_${i}`, value: `value ${i}` }));
  const { startEmulator } = (await built("emulator")) as typeof EmulatorModule;
  const emulator = await startEmulator({
    rateLimit: 1e9,
    seed: { users: [{ email: "ann@example.com", name: "Ann" }], workspaces: [{ domain: "acme", variables }] },
  });
  const { baseUrl, token, workspace: domain } = emulator;
  process.send?.({ baseUrl, token, domain } satisfies Service);
  process.once("disconnect", () => process.exit());
}

async function bench(): Promise<void> {
  const server = fork(new URL(import.meta.url), ["serve"], { execArgv: process.execArgv });
  const service = await new Promise<Service>((resolve, reject) => {
    server.once("message", (message) => resolve(message as Service));
    server.once("exit", () => reject(new Error("the emulator did not start")));
  });
  try {
    const get = await compare(await getsBare(service), await getsByClient(service));
    report(`GET of one object, ${CALLERS} callers`, get);
    const list = await compare(listBare(service), await listByClient(service));
    report(`list of ${OBJECTS} objects`, list);
    if (Math.min(get.ratio, list.ratio) < LEAST) {
      process.stdout.write(`below the floor of ${LEAST}\n`);
      process.exitCode = 1;
    }
  } finally {
    server.disconnect();
  }
}

interface Comparison {
  bare: number;
  client: number;
  ratio: number;
}

async function compare(bare: Load, client: Load): Promise<Comparison> {
  const pairs: Comparison[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    // Each begins every other round, so that neither has the warmer machine.
    const first = round % 2 === 0 ? bare : client;
    const rates = new Map<Load, number>();
    for (const load of [first, first === bare ? client : bare])
      rates.set(load, await requestsPerSecond(load));
    const pair = { bare: rates.get(bare) ?? 0, client: rates.get(client) ?? 0 };
    // The first round only warms up.
    if (round >= 0) pairs.push({ ...pair, ratio: pair.client / pair.bare });
  }
  const median = (of: (pair: Comparison) => number) =>
    pairs.map(of).sort((a, b) => a - b)[pairs.length >> 1] ?? 0;
  return { bare: median((p) => p.bare), client: median((p) => p.client), ratio: median((p) => p.ratio) };
}

async function requestsPerSecond({ requests, run }: Load): Promise<number> {
  const start = performance.now();
  await run();
  return (requests * 1000) / (performance.now() - start);
}

function report(what: string, { bare, client, ratio }: Comparison): void {
  const rate = (perSecond: number) => `${Math.round(perSecond)} requests/s`;
  process.stdout.write(
    `${what}: bare undici ${rate(bare)}, client ${rate(client)}, ratio ${ratio.toFixed(2)}\n`,
  );
}

async function callers(times: number, one: () => Promise<unknown>): Promise<void> {
  let left = times;
  const caller = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

function bareGet({ baseUrl, token }: Service): (path: string) => Promise<unknown> {
  const pool = new Pool(baseUrl, { connections: CALLERS, pipelining: 1 });
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  return async (path) => (await pool.request({ method: "GET", path, headers })).body.json();
}

async function clientOf({ baseUrl, token }: Service): Promise<ClientModule.WorkspaceAutomationClient> {
  const { WorkspaceAutomationClient } = (await built("client")) as typeof ClientModule;
  return new WorkspaceAutomationClient({ baseUrl, token, maxConcurrency: CALLERS });
}

async function getsBare(service: Service): Promise<Load> {
  const id = await aVariable(service);
  const get = bareGet(service);
  const path = `/workspaces/${service.domain}/variables/${id}`;
  return { requests: GETS, run: () => callers(GETS, () => get(path)) };
}

async function getsByClient(service: Service): Promise<Load> {
  const id = await aVariable(service);
  const client = await clientOf(service);
  return { requests: GETS, run: () => callers(GETS, () => client.variables.get(service.domain, id)) };
}

async function aVariable(service: Service): Promise<number> {
  const client = await clientOf(service);
  for await (const { id } of client.variables.list(service.domain)) return id;
  throw new Error("the emulator has no variables");
}

/** The whole list, several times. */
async function lists(list: () => Promise<unknown[]>): Promise<void> {
  for (let i = 0; i < LISTS; i++) {
    const { length } = await list();
    if (length !== OBJECTS) throw new Error(`${length} objects came`);
  }
}

function listBare(service: Service): Load {
  const get = bareGet(service);
  return {
    requests: PAGES * LISTS,
    run: () =>
      lists(async () => {
        const all: unknown[] = [];
        // Who does not know how many there are asks until a page is not full.
        for (let page = 1; all.length === (page - 1) * 100; page++) {
          const answer = await get(`/workspaces/${service.domain}/variables?page=${page}&per_page=100`);
          all.push(...(answer as { variables: unknown[] }).variables);
        }
        return all;
      }),
  };
}

async function listByClient(service: Service): Promise<Load> {
  const client = await clientOf(service);
  return {
    requests: PAGES * LISTS,
    run: () => lists(() => client.variables.list(service.domain).toArray()),
  };
}
