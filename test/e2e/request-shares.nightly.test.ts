/** Processes that share a token divide its requests of the hour: few are refused, and almost all of them are used. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../emulator/index.js";
import { repository, temporaryFolder } from "./support.js";

const library = pathToFileURL(join(repository, "packages/library/dist/client/public.js")).href;

/** Sends requests, up to 16 at a time, until there are none left, and prints how many it sent. */
const SHARD = `
import { WorkspaceAutomationClient } from ${JSON.stringify(library)};
const { URL_, TOKEN, SHARES } = process.env;
const client = new WorkspaceAutomationClient({ baseUrl: URL_, token: TOKEN, rateLimit: { maxWaitMs: 0 }, shares: Number(SHARES) });
let sent = 0;
let left = true;
await Promise.all(Array.from({ length: 16 }, async () => {
  while (left) {
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

async function eightShards(shares: number) {
  const emulator = await startEmulator({ rateLimit: 1000, latencyMs: 5 });
  const script = join(temporaryFolder(), "shard.mjs");
  writeFileSync(script, SHARD);
  const env = {
    PATH: process.env["PATH"],
    ...{ URL_: emulator.baseUrl, TOKEN: emulator.token, SHARES: String(shares) },
  };
  try {
    const shards = Array.from({ length: 8 }, () =>
      execa(process.execPath, [script], { env, extendEnv: false, reject: false }),
    );
    const ended = await Promise.all(shards);
    const { requests } = emulator.journal;
    return {
      failures: ended.map(({ stderr }) => stderr).filter(Boolean),
      refused: requests.filter(({ status }) => status === 403).length,
      done: requests.filter(({ status }) => status === 200).length,
      sent: ended.reduce((all, { stdout }) => all + Number(stdout), 0),
    };
  } finally {
    await emulator.close();
  }
}

describe("eight processes with one token", { timeout: 120_000 }, () => {
  it("use nearly all requests of the hour, and few are refused", async () => {
    const { failures, refused, done, sent } = await eightShards(8);
    expect(failures).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(900);
    expect(sent).toBe(done);
    const undivided = await eightShards(1);
    expect(refused).toBeLessThan(undivided.refused / 2);
  });
});
