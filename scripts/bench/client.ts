/** `npm run bench -- client`: compares the built client with undici alone, against the same emulator. */
import { Pool } from "undici";
import type * as ClientModule from "../../client/index.js";
import { callInParallel, comparePair } from "./pairs.js";
import { startService } from "./service.js";

const CALLERS = 16;
const GETS = 6000;
const OBJECTS = 2000;
const LISTS = 20;
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

const listOwn = () => client.variables.list("acme").toArray();
const [first] = await listOwn();
const id = first?.id ?? 0;
if ((await listBare()).length !== OBJECTS) throw new Error(`the list does not have ${OBJECTS} objects`);
const ofObject = (get: () => Promise<unknown>) => () => callInParallel(GETS, CALLERS, get);
const ofLists = (list: () => Promise<unknown>) => () => callInParallel(LISTS, 1, list);
await comparePair(
  {
    what: `GET of one object, ${CALLERS} callers`,
    calls: GETS,
    own: ofObject(() => client.variables.get("acme", id)),
    bare: ofObject(() => fetchBare(`${LIST}/${id}`)),
    least: LEAST,
  },
  ROUNDS,
);
await comparePair(
  {
    what: `list of ${OBJECTS} objects`,
    calls: LISTS,
    own: ofLists(listOwn),
    bare: ofLists(listBare),
    least: LEAST,
  },
  ROUNDS,
);
await Promise.all([client.close(), pool.close()]);
service.close();
