/** Processes that share a token share its requests of the hour: none is refused, and almost all of them are used. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ledger, LedgerOptions } from "../../client/ledger/ledger.js";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { startObjectStore, type MemoryObjectStore } from "../client/ledger/object-store.js";
import {
  connected,
  emulatorForTests,
  isolated,
  repository,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret-of-the-bucket" };
const library = pathToFileURL(join(repository, "packages/library/dist/client/index.js")).href;

/** Sends requests, up to 16 at a time, until there are none left, and prints how many it sent. */
const SHARD = `
import { WorkspaceAutomationClient } from ${JSON.stringify(library)};
const { URL_, TOKEN, LEDGER, LIMIT_MS, DIES_AFTER } = process.env;
const ledger = LEDGER ? { ledger: JSON.parse(LEDGER) } : {};
const onProgress = ({ type, message }) => type === "ledger-failed" && console.error(message);
const client = new WorkspaceAutomationClient({ baseUrl: URL_, token: TOKEN, rateLimit: { maxWaitMs: Number(LIMIT_MS) }, onProgress, ...ledger });
const until = Date.now() + Number(LIMIT_MS);
let sent = 0;
let left = true;
await Promise.all(Array.from({ length: 16 }, async () => {
  while (left && (LIMIT_MS === "0" || Date.now() < until)) {
    try {
      await client.workspaces.list().toArray();
      if (++sent === Number(DIES_AFTER)) process.kill(process.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "rate-limited") throw error;
      left = false;
    }
  }
}));
await client.close();
process.stdout.write(String(sent));
`;

interface Setting {
  readonly limit: number;
  readonly windowSeconds?: number;
  readonly ledger?: boolean;
  /** Each shard has a ledger of its own, and takes its share. */
  readonly split?: boolean;
  /** The ledger is in this bucket. */
  readonly store?: MemoryObjectStore;
  /** How long the shards send requests; 0: until there are none left. */
  readonly ms?: number;
  /** This shard is killed in the middle of its first lease. */
  readonly killed?: number;
}

async function eightShards({ limit, windowSeconds, ledger = true, split, store, ms = 0, killed }: Setting) {
  const emulator = await startEmulator({
    rateLimit: limit,
    ...(windowSeconds ? { rateWindowSeconds: windowSeconds } : {}),
  });
  const folder = temporaryFolder();
  const script = join(folder, "shard.mjs");
  writeFileSync(script, SHARD);
  try {
    const shards = Array.from({ length: 8 }, (_, index) => {
      const options: LedgerOptions = store
        ? { bucket: store.address, credentials: { accessKeyId: "key", secretAccessKey: "secret" } }
        : { folder: join(folder, split ? `ledger-${index}` : "ledger"), shares: split ? 8 : 1 };
      const env: Record<string, string> = {
        ...{ URL_: emulator.baseUrl, TOKEN: emulator.token, LIMIT_MS: String(ms) },
        ...(ledger ? { LEDGER: JSON.stringify(options) } : {}),
        ...(index === killed ? { DIES_AFTER: "5" } : {}),
      };
      return execa(process.execPath, [script], {
        env: { PATH: process.env["PATH"], ...env },
        extendEnv: false,
        reject: false,
      });
    });
    const ended = await Promise.all(shards);
    const { requests } = emulator.journal;
    return {
      failures: ended.flatMap(({ stderr }, index) => (index === killed || stderr === "" ? [] : [stderr])),
      refused: requests.filter(({ status }) => status === 403).length,
      done: requests.filter(({ status }) => status === 200).length,
      each: ended.map(({ stdout }) => Number(stdout)),
    };
  } finally {
    await emulator.close();
  }
}

describe("eight shards with one token", { timeout: 120_000 }, () => {
  let bucket: MemoryObjectStore;
  beforeEach(async () => void (bucket = await startObjectStore()));
  afterEach(() => bucket.close());

  describe.each(["folder", "bucket"])("and a ledger in a %s", (location) => {
    const shards = (setting: Setting) =>
      eightShards({ ...setting, ...(location === "bucket" ? { store: bucket } : {}) });

    it("use nearly all requests of the hour, and none is refused", async () => {
      const { failures, refused, done, each } = await shards({ limit: 1000 });
      expect([failures, refused]).toEqual([[], 0]);
      expect(done).toBeGreaterThanOrEqual(900);
      expect(each.reduce((all, one) => all + one, 0)).toBe(done);
    });

    it("continue in the next windows", async () => {
      const { failures, refused, done } = await shards({ limit: 200, windowSeconds: 4, ms: 11_000 });
      expect([failures, refused]).toEqual([[], 0]);
      expect(done).toBeGreaterThanOrEqual(2 * 0.9 * 200);
    });

    it("lose at most the lease of one that is killed", async () => {
      const { failures, refused, done } = await shards({ limit: 1000, killed: 3 });
      expect([failures, refused]).toEqual([[], 0]);
      expect(done).toBeGreaterThanOrEqual(900);
    });
  });

  it("take their share of the hour where they have no folder in common", async () => {
    const { failures, refused, done, each } = await eightShards({ limit: 1000, split: true });
    expect([failures, refused]).toEqual([[], 0]);
    expect(Math.max(...each)).toBeLessThanOrEqual(125);
    expect(done).toBeGreaterThanOrEqual(900);
  });

  it("are not refused although the bucket fails now and then", async () => {
    bucket.fail("PUT", ".json", 409, "lost", 412, 503, "lost", 409);
    bucket.fail("GET", ".json", 500, "lost");
    const { failures, refused, done } = await eightShards({ limit: 1000, store: bucket });
    expect([failures, refused]).toEqual([[], 0]);
    expect(done).toBeGreaterThanOrEqual(900);
  });

  it("would be refused without a ledger", async () => {
    expect((await eightShards({ limit: 1000, ledger: false })).refused).toBeGreaterThan(0);
  });
});

describe("a command with a ledger in a bucket", { timeout: 120_000 }, () => {
  let store: MemoryObjectStore;
  let emulator: Emulator;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    store = await startObjectStore();
    emulator = await emulatorForTests();
    folder = temporaryFolder();
    const ledger = { WORKSPACE_AUTOMATION_REQUEST_LEDGER: store.address };
    env = isolated(folder, { ...connected(emulator), ...KEYS, ...ledger });
    writeFileSync(
      join(folder, "workspace.yaml"),
      "version: 1\nworkspace: acme\ngroups: { QA: {}, Ops: {} }\n",
    );
  });
  afterEach(() => store.close());

  /** The ledger, and the limit and number of requests that the service knows. */
  function compare() {
    const file = [...store.objects.keys()].find((key) => key.includes("/requests-"));
    const { window, leases } = JSON.parse(store.objects.get(file ?? "") ?? "{}") as Ledger;
    return { left: window?.left, leases, used: emulator.journal.requests.length };
  }

  it("returns what it has leased before it ends", async () => {
    const up = await workspacectl(["up", "--yes", "--create-stack"], folder, env);
    expect([up.code, up.stderr.includes("ledger")]).toEqual([0, false]);
    const { left, leases, used } = compare();
    expect(leases).toEqual({});
    expect(Number(left) + used).toBe(5000);
  });

  it("shares it with the processes of a fleet", async () => {
    writeFileSync(join(folder, "fleet.yaml"), "version: 1\nworkspaces: { us: {}, eu: { stack: other } }\n");
    const { code, stderr } = await workspacectl(["fleet", "preview"], folder, env);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("ledger")]);
    const { left, leases, used } = compare();
    expect([leases, Number(left) + used]).toEqual([{}, 5000]);
  });

  it("is left by a provider that the engine ends by a signal", async () => {
    const script = join(folder, "provider.mjs");
    const provider = pathToFileURL(join(repository, "packages/library/dist/provider")).href;
    writeFileSync(
      script,
      `import { WorkspaceAutomationClient } from ${JSON.stringify(library)};
import { ledgerOptions } from "${provider}/connection/request-ledger.js";
import { openJournal } from "${provider}/../recovery/home-journal.js";
const { WORKSPACE_AUTOMATION_BASE_URL: baseUrl, WORKSPACE_AUTOMATION_TOKEN: token } = process.env;
openJournal(() => undefined);
const client = new WorkspaceAutomationClient({ baseUrl, token, ...ledgerOptions(process.env) });
for (let request = 0; request < 5; request++) await client.workspaces.list().toArray();
setTimeout(() => undefined, 60_000);
process.kill(process.pid, "SIGINT");
`,
    );
    const ended = await execa(process.execPath, [script], { env, extendEnv: false, reject: false });
    expect([ended.signal, ended.stderr]).toEqual(["SIGINT", ""]);
    const { left, leases, used } = compare();
    expect([leases, Number(left) + used]).toEqual([{}, 5000]);
  });

  it("divides the hour, and says why, when the bucket cannot be used", async () => {
    writeFileSync(join(folder, "fleet.yaml"), "version: 1\nworkspaces: { us: {} }\n");
    delete env["AWS_SECRET_ACCESS_KEY"];
    const { code, stderr } = await workspacectl(["fleet", "preview"], folder, env);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "The shards do not share a ledger of requests (WORKSPACE_AUTOMATION_REQUEST_LEDGER: " +
        "the bucket needs a key: set AWS_SECRET_ACCESS_KEY). Each takes its share of the hour.",
    );
    expect(store.requests).toEqual([]);
  });
});
