/** Processes that share a token share its requests of the hour: none is refused, and almost all of them are used. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../emulator/index.js";
import { repository, temporaryFolder } from "./support.js";

const library = pathToFileURL(join(repository, "packages/library/dist/client/index.js")).href;

/** Sends requests, up to 16 at a time, until there are none left, and prints how many it sent. */
const SHARD = `
import { WorkspaceAutomationClient } from ${JSON.stringify(library)};
const { URL_, TOKEN, LEDGER, SHARES, LIMIT_MS } = process.env;
const ledger = LEDGER ? { ledger: { folder: LEDGER, shares: Number(SHARES ?? 1) } } : {};
const client = new WorkspaceAutomationClient({ baseUrl: URL_, token: TOKEN, rateLimit: { maxWaitMs: Number(LIMIT_MS) }, ...ledger });
const until = Date.now() + Number(LIMIT_MS);
let sent = 0;
let left = true;
await Promise.all(Array.from({ length: 16 }, async () => {
  while (left && (LIMIT_MS === "0" || Date.now() < until)) {
    try {
      await client.workspaces.list().toArray();
      sent++;
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
  /** How long the shards send requests; 0: until there are none left. */
  readonly ms?: number;
  /** Kills this shard soon after its start. */
  readonly killed?: number;
}

async function eightShards({ limit, windowSeconds, ledger = true, split, ms = 0, killed }: Setting) {
  const emulator = await startEmulator({
    rateLimit: limit,
    ...(windowSeconds ? { rateWindowSeconds: windowSeconds } : {}),
  });
  const folder = temporaryFolder();
  const script = join(folder, "shard.mjs");
  writeFileSync(script, SHARD);
  try {
    const shards = Array.from({ length: 8 }, (_, index) => {
      const env: Record<string, string> = {
        ...{ URL_: emulator.baseUrl, TOKEN: emulator.token, LIMIT_MS: String(ms) },
        ...(ledger
          ? { LEDGER: join(folder, split ? `ledger-${index}` : "ledger"), SHARES: split ? "8" : "1" }
          : {}),
      };
      return execa(process.execPath, [script], {
        env: { PATH: process.env["PATH"], ...env },
        extendEnv: false,
        reject: false,
      });
    });
    if (killed !== undefined) setTimeout(() => shards[killed]?.kill("SIGKILL"), 700);
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
  it("use nearly all requests of the hour, and none is refused", async () => {
    const { failures, refused, done, each } = await eightShards({ limit: 1000 });
    expect([failures, refused]).toEqual([[], 0]);
    expect(done).toBeGreaterThanOrEqual(900);
    expect(each.reduce((all, one) => all + one, 0)).toBe(done);
  });

  it("continue in the next windows", async () => {
    const { failures, refused, done } = await eightShards({ limit: 200, windowSeconds: 4, ms: 11_000 });
    expect([failures, refused]).toEqual([[], 0]);
    expect(done).toBeGreaterThanOrEqual(2 * 0.9 * 200);
  });

  it("lose at most the lease of one that is killed", async () => {
    const { failures, refused, done } = await eightShards({ limit: 1000, killed: 3 });
    expect([failures, refused]).toEqual([[], 0]);
    expect(done).toBeGreaterThanOrEqual(900);
  });

  it("take their share of the hour where they have no folder in common", async () => {
    const { failures, refused, done, each } = await eightShards({ limit: 1000, split: true });
    expect([failures, refused]).toEqual([[], 0]);
    expect(Math.max(...each)).toBeLessThanOrEqual(125);
    expect(done).toBeGreaterThanOrEqual(900);
  });

  it("would be refused without a ledger", async () => {
    expect((await eightShards({ limit: 1000, ledger: false })).refused).toBeGreaterThan(0);
  });
});
