/** Kills an emulator while it writes, and checks its data. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileEmulator, type Process, startProcess } from "./compiled.js";
import { type Caller, make, send, ws } from "./support.js";

// Runs briefly; `npm run stress -- emulator` runs longer.
const rounds = Number(process.env["EMULATOR_KILLS"] ?? 3);

let compiled: Awaited<ReturnType<typeof compileEmulator>>;
let directory: string;
beforeAll(async () => {
  compiled = await compileEmulator();
  directory = await mkdtemp(join(tmpdir(), "emulator-kill-"));
});
afterAll(async () => {
  await compiled.remove();
  await rm(directory, { recursive: true, force: true });
});

/** Changes that the emulator acknowledged. */
interface Acknowledged {
  groups: Map<number, string>;
  deleted: Set<number>;
  files: Map<string, string>;
  variables: Map<number, string>;
  commits: string[];
}

/** Writes as fast as possible until the emulator ends. */
async function write(call: Caller, name: string, done: Acknowledged): Promise<void> {
  for (let i = 0; ; i++) {
    const group = await make(call, "POST", `${ws}/groups`, { name: `${name}-${i}` });
    done.groups.set(group.id, `${name}-${i}`);
    const renamed = await make(call, "PATCH", `${ws}/groups/${group.id}`, { name: `${name}-${i}!` });
    done.groups.set(group.id, renamed.name ?? "");
    if (i % 3 === 0) {
      // Whether the group is deleted is unknown until the response arrives.
      done.groups.delete(group.id);
      await make(call, "DELETE", `${ws}/groups/${group.id}`);
      done.deleted.add(group.id);
    }
    const variable = await make(call, "POST", `${ws}/variables`, {
      key: "K",
      value: `${name}${i}`,
      encrypted: true,
    });
    done.variables.set(variable.id, variable.value);
    const content = Buffer.from(`${name} ${i}`).toString("base64");
    const body = { path: `${name}/${i}.txt`, content, message: `${name} ${i}` };
    const written = await make(call, "POST", `${ws}/projects/web/repository/contents`, body);
    done.files.set(body.path, content);
    done.commits.push(written.commit.revision);
  }
}

async function check(call: Caller, done: Acknowledged): Promise<void> {
  const { groups } = await make(call, "GET", `${ws}/groups`);
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  for (const [id, name] of done.groups) {
    // An unacknowledged rename may or may not have happened.
    expect([name, `${name}!`]).toContain(names.get(id));
  }
  for (const id of done.deleted) expect(names.has(id)).toBe(false);
  const { variables } = await make(call, "GET", `${ws}/variables`);
  const values = new Map(variables.map(({ id, value }) => [id, value]));
  for (const [id, value] of done.variables) expect(values.get(id)).toBe(value);
  for (const [path, content] of done.files) {
    const { contents } = await make(call, "GET", `${ws}/projects/web/repository/contents/${path}`);
    expect(contents[0].content).toBe(content);
  }
  const reachable = new Set<string>();
  for (let page = 1; ; page++) {
    const { commits } = await make(
      call,
      "GET",
      `${ws}/projects/web/repository/commits?per_page=100&page=${page}`,
    );
    if (commits.length === 0) break;
    for (const { revision } of commits) reachable.add(revision);
  }
  expect(done.commits.filter((revision) => !reachable.has(revision))).toEqual([]);
}

test("kill -9 at any moment under load loses no acknowledged change", { timeout: 600_000 }, async () => {
  const done: Acknowledged = {
    groups: new Map(),
    deleted: new Set(),
    files: new Map(),
    variables: new Map(),
    commits: [],
  };
  const options = { dataDir: directory, rateLimit: 1e9 };
  const caller =
    ({ baseUrl, token }: Process): Caller =>
    (method, path, body) =>
      send(baseUrl, method, path, { token, body });
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    const emulator = await startProcess(compiled.folder, options);
    const call = caller(emulator);
    if (round === 0) await make(call, "POST", `${ws}/projects`, { name: "web" });
    else await check(call, done);
    const writers = Array.from({ length: 6 }, (_, n) =>
      write(call, `r${round}w${n}`, done).catch(() => undefined),
    );
    // Kills at a random moment under load, however busy the machine.
    const enough = acknowledged + 1 + Math.floor(Math.random() * 20);
    while (done.commits.length < enough) await sleep(1);
    await sleep(Math.random() * 30);
    await emulator.kill();
    await Promise.all(writers);
    // A round without any change proves nothing.
    expect(done.commits.length).toBeGreaterThan(acknowledged);
    acknowledged = done.commits.length;
  }
  const last = await startProcess(compiled.folder, options);
  await check(caller(last), done);
  await last.kill();
});
