/**
 * `npm run bench -- client`: compares the built client with undici alone, as ratios of requests per second against the same emulator. Their
 * rounds alternate, and the median of the pairs counts.
 */
import { Pool } from "undici";
import type * as ClientModule from "../client/index.js";
import { measureInPairs } from "./bench/pairs.js";
import { startService } from "./bench/service.js";

const CALLERS = 16;
const GETS = 6000;
const OBJECTS = 2000;
const LISTS = 20;
const LIST_REQUESTS = LISTS * (OBJECTS / 100 + 1);
const ROUNDS = 15;
const LEAST = 0.8;
const LIST = "/workspaces/acme/variables";

const variables = Array.from({ length: OBJECTS }, (_, i) => ({ key: `KEY_${i}`, value: `value ${i}` }));
const service = await startService({
  seed: { users: [{ email: "ann@example.com", name: "Ann" }], workspaces: [{ domain: "acme", variables }] },
});
const { baseUrl, token } = service;
const entry = "pulumi-workspace-automation/client";
const { WorkspaceAutomationClient } = (await import(entry)) as typeof ClientModule;
const client = new WorkspaceAutomationClient({ baseUrl, token, maxConcurrency: CALLERS });
const pool = new Pool(baseUrl, { connections: CALLERS, pipelining: 1 });
const headers = { accept: "application/json", authorization: `Bearer ${token}` };

const fetchBare = async (path: string) => (await pool.request({ method: "GET", path, headers })).body.json();

/** Requests pages until one is not full, like a caller who does not know the length of the list. */
async function listBare(): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; all.length === (page - 1) * 100; page++) {
    const response = await fetchBare(`${LIST}?page=${page}&per_page=100`);
    all.push(...(response as { variables: unknown[] }).variables);
  }
  return all;
}

try {
  const [first] = await client.variables.list("acme").toArray();
  const id = first?.id ?? 0;
  const ratios = [
    await compare(`GET of one object, ${CALLERS} callers`, GETS, {
      bare: () => runInParallel(() => fetchBare(`${LIST}/${id}`)),
      own: () => runInParallel(() => client.variables.get("acme", id)),
    }),
    await compare(`list of ${OBJECTS} objects`, LIST_REQUESTS, {
      bare: () => runRepeatedly(listBare),
      own: () => runRepeatedly(() => client.variables.list("acme").toArray()),
    }),
  ];
  if (Math.min(...ratios) < LEAST) {
    process.stdout.write(`below the floor of ${LEAST}\n`);
    process.exitCode = 1;
  }
} finally {
  await Promise.all([client.close(), pool.close()]);
  service.close();
}

/** Prints and returns the ratio of the client's rate to that of bare undici. */
async function compare(
  what: string,
  requests: number,
  works: Parameters<typeof measureInPairs>[0],
): Promise<number> {
  const { own, bare, ratio } = await measureInPairs(works, ROUNDS);
  const [client, undici] = [own, bare].map((milliseconds) => Math.round((requests * 1000) / milliseconds));
  process.stdout.write(
    `${what}: bare undici ${undici} requests/s, client ${client} requests/s, ratio ${(1 / ratio).toFixed(2)}\n`,
  );
  return 1 / ratio;
}

async function runInParallel(one: () => Promise<unknown>): Promise<void> {
  let remaining = GETS;
  const caller = async () => {
    while (remaining-- > 0) await one();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function runRepeatedly(list: () => Promise<unknown[]>): Promise<void> {
  for (let i = 0; i < LISTS; i++) {
    const { length } = await list();
    if (length !== OBJECTS) throw new Error(`the list has ${length} objects`);
  }
}
