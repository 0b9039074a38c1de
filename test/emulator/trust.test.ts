/** Tests the protection against foreign pages and callers. */
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.js";
import { raw } from "./raw.js";
import { make, send, start, ws } from "./support.js";

const origin = (emulator: { baseUrl: string }) => new URL(emulator.baseUrl).origin;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Lists URLs that require no access token and show or change data. */
const guarded = [
  ["GET", "/_control"],
  ["POST", "/_control/tokens"],
  ["GET", "/app"],
  ["GET", "/app/acme"],
  ["GET", "/app/-/user"],
  ["GET", "/app/-/authorize?client_id=x"],
  ["POST", "/app/-/authorize?client_id=x"],
] as const;

describe("foreign web pages", () => {
  test.each(guarded)(
    "cannot call %s %s through a DNS name that resolves to this machine",
    async (method, path) => {
      const { emulator } = await start({ control: true });
      const { port } = new URL(emulator.baseUrl);
      for (const host of [
        `evil.example:${port}`,
        "evil.example",
        `127.0.0.1.evil.example:${port}`,
        "10.1.2.3",
      ]) {
        // A browser sends an equal host and origin for a name that resolves to this machine.
        const response = await raw(emulator.baseUrl, {
          method,
          path,
          headers: { host, origin: `http://${host}` },
        });
        expect([host, response.status]).toEqual([host, 403]);
        expect(response.text).not.toContain(emulator.token);
      }
      for (const host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`]) {
        const response = await raw(emulator.baseUrl, {
          method,
          path,
          headers: { host, origin: `http://${host}` },
        });
        expect([host, response.status]).not.toEqual([host, 403]);
      }
    },
  );

  test.each(guarded)("cannot call %s %s from another origin", async (method, path) => {
    const { emulator } = await start({ control: true });
    const { port, host } = new URL(emulator.baseUrl);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${Number(port) === 80 ? 81 : 80}` },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
    ]) {
      const response = await raw(emulator.baseUrl, { method, path, headers: { host, ...headers } });
      expect([headers, response.status]).toEqual([headers, 403]);
    }
  });

  test("can link to the web view, and the public origin is accepted", async () => {
    const port = await freePort();
    const { emulator } = await start({ port, publicOrigin: "https://emulator.example" });
    expect(emulator.webUrl).toBe("https://emulator.example/app");
    const get = async (headers: Record<string, string>) =>
      (await raw(`http://127.0.0.1:${port}`, { method: "GET", path: "/app", headers })).status;
    expect(await get({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBe(200);
    // These headers are those that a proxy in front of the emulator sends.
    expect(await get({ host: "emulator.example", origin: "https://emulator.example" })).toBe(200);
    expect(await get({ host: "emulator.example", origin: "http://emulator.example:1" })).toBe(403);
  });
});

describe("the API", () => {
  const path = `${ws}/projects`;
  const ask = async (baseUrl: string, token: string, headers: Record<string, string>) =>
    [
      await raw(baseUrl, { method: "GET", path, headers: { authorization: `Bearer ${token}`, ...headers } }),
      await raw(baseUrl, { method: "GET", path: `${path}?access_token=${token}`, headers }),
    ].map(({ status }) => status);

  test.each([
    ["the option", { token: "try-it" }],
    [
      "a seed",
      {
        seed: {
          users: [{ email: "a@example.com", tokens: [{ token: "try-it" }] }],
          workspaces: [{ domain: "acme" }],
        },
      },
    ],
  ])("with a token from %s, which others may know, does not answer foreign pages", async (_from, options) => {
    const { emulator } = await start(options);
    const { port, host } = new URL(emulator.baseUrl);
    const foreign = [
      { origin: "https://evil.example" },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
      { host: `evil.example:${port}` },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ];
    for (const headers of foreign)
      expect([headers, await ask(emulator.baseUrl, "try-it", headers)]).toEqual([headers, [403, 403]]);
    // Programs send neither header, and the emulator's own pages name themselves.
    for (const headers of [{}, { origin: `http://${host}` }, { "sec-fetch-site": "same-origin" }])
      expect(await ask(emulator.baseUrl, "try-it", headers)).not.toContain(403);
  });

  test("keeps out foreign pages also when it is started again, without the option", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "emulator-trust-"));
    try {
      for (const options of [{ dataDir, token: "try-it" }, { dataDir }]) {
        const emulator = await startEmulator(options);
        const headers = { origin: "https://evil.example" };
        expect(await ask(emulator.baseUrl, "try-it", headers)).toEqual([403, 403]);
        expect(await ask(emulator.baseUrl, "try-it", {})).toEqual([200, 200]);
        await emulator.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test("with a random token answers any page that has it, as the spec says", async () => {
    const { emulator } = await start();
    expect(await ask(emulator.baseUrl, emulator.token, { origin: "https://evil.example" })).toEqual([
      200, 200,
    ]);
  });
});

describe("an emulator that listens on all interfaces", () => {
  const beyond = { host: "0.0.0.0", control: true } as const;

  test.each(guarded)("requires the key for %s %s", async (method, path) => {
    const { emulator } = await start(beyond);
    const key = emulator.key ?? "";
    expect(key.length).toBeGreaterThan(30);
    const ask = (authorization?: string) =>
      raw(emulator.baseUrl, { method, path, headers: authorization === undefined ? {} : { authorization } });
    const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
    for (const wrong of [undefined, "Bearer x", basic("x"), `Bearer ${emulator.token}`, "Basic"]) {
      const response = await ask(wrong);
      expect([wrong, response.status]).toEqual([wrong, 401]);
      expect(response.headers["www-authenticate"]).toBe('Basic realm="emulator"');
      expect(response.text).not.toContain(key);
    }
    for (const right of [`Bearer ${key}`, basic(key)]) expect((await ask(right)).status).not.toBe(401);
  });

  test("accepts the address of this machine, but no other name", async () => {
    const { emulator } = await start(beyond);
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    const headers = { authorization: `Bearer ${emulator.key ?? ""}` };
    const { port } = new URL(emulator.baseUrl);
    const named = { ...headers, host: `evil.example:${port}` };
    expect((await raw(emulator.baseUrl, { method: "GET", path: "/_control", headers: named })).status).toBe(
      403,
    );
    if (own === undefined) return;
    const response = await raw(`http://${own}:${port}`, { method: "GET", path: "/_control", headers });
    expect(response.status).toBe(200);
  });

  test("refuses short keys and tokens, which are accepted on this machine only", async () => {
    await expect(startEmulator({ host: "0.0.0.0", token: "try-it" })).rejects.toThrow(/token is too short/);
    await expect(startEmulator({ host: "0.0.0.0", key: "short" })).rejects.toThrow(/key is too short/);
    await expect(startEmulator({ token: "two words" })).rejects.toThrow(/without blanks/);
    const { emulator } = await start({ key: "k", control: true });
    expect((await send(origin(emulator), "GET", "/_control")).status).toBe(401);
    expect((await send(origin(emulator), "GET", "/_control", { token: "k" })).status).toBe(200);
  });
});

describe("an emulator with stored data or a given token", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "emulator-trust-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("has the given token for its first user, even after a reset, besides tokens of the seed", async () => {
    const seed = {
      users: [{ email: "o@example.com", tokens: [{ token: "seeded" }] }],
      workspaces: [{ domain: "acme" }],
    };
    const { emulator } = await start({ token: "try-it", seed });
    const opens = async (token: string) => (await send(emulator.baseUrl, "GET", ws, { token })).status;
    expect([emulator.token, await opens("try-it"), await opens("seeded")]).toEqual(["try-it", 200, 200]);
    await emulator.reset();
    expect([emulator.token, await opens("try-it"), await opens("seeded")]).toEqual(["try-it", 200, 200]);
  });

  test("replaces the token of stored data by a given one, and still accepts the old one", async () => {
    const dataDir = join(folder, "taken");
    const first = await startEmulator({ dataDir });
    const { token } = first;
    await first.close();
    const { emulator } = await start({ dataDir, token: "try-it" });
    expect(emulator.token).toBe("try-it");
    for (const each of ["try-it", token])
      expect((await send(emulator.baseUrl, "GET", ws, { token: each })).status).toBe(200);
  });

  const mode = async (...path: string[]) => ((await stat(join(...path))).mode & 0o777).toString(8);

  test("restricts stored data to its user, even in an existing directory", async () => {
    const dataDir = join(folder, "open");
    await mkdir(dataDir, { mode: 0o755 });
    const { emulator, call } = await start({ dataDir });
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    const modes = [await mode(dataDir), await mode(dataDir, "objects"), await mode(dataDir, "repositories")];
    expect([...modes, await mode(dataDir, "key")]).toEqual(["700", "700", "700", "600"]);
    await emulator.close();
  });

  test("retains the mode of a directory with other files, but restricts its own folders", async () => {
    const dataDir = join(folder, "shared");
    await mkdir(dataDir, { mode: 0o755 });
    await writeFile(join(dataDir, "notes.txt"), "mine");
    await start({ dataDir });
    expect([await mode(dataDir), await mode(dataDir, "objects")]).toEqual(["755", "700"]);
    expect(await readFile(join(dataDir, "notes.txt"), "utf8")).toBe("mine");
  });
});

test("a token in the query is omitted from the journal, however its parameter is encoded", async () => {
  const { emulator } = await start({ control: true });
  const { token } = emulator;
  for (const name of ["access_token", "%61ccess_token", "access%5Ftoken", "acc%65ss_t%6fken"]) {
    const response = await send(emulator.baseUrl, "GET", `${ws}/projects?page=1&${name}=${token}&per_page=2`);
    expect([name, response.status]).toEqual([name, 200]);
  }
  const journal = await send(origin(emulator), "GET", "/_control/journal", { token: emulator.key });
  expect(journal.text).not.toContain(token);
  expect(emulator.journal.requests.map(({ query }) => query)).toEqual(Array(4).fill("page=1&per_page=2"));
});
