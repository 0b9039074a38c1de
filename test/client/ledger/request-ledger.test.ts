import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerOptions } from "../../../client/ledger/ledger.js";
import { RequestLedger } from "../../../client/ledger/request-ledger.js";
import type { RateHeaders } from "../../../client/rate-response.js";
import { FakeClock } from "../helpers.js";
import { startObjectStore, type MemoryObjectStore } from "./object-store.js";

const FILE = ".json";
const keys = { accessKeyId: "key", secretAccessKey: "the-secret-key" };

describe.each(["folder", "bucket"] as const)("the ledger in a %s", (kind) => {
  let clock: FakeClock;
  let server: MemoryObjectStore;
  let folder: string;
  let messages: string[];
  beforeEach(async () => {
    clock = new FakeClock();
    messages = [];
    server = await startObjectStore();
    folder = mkdtempSync(join(tmpdir(), "ledger-"));
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the ledger as another process would. */
  function process(more: { readonly shares?: number; readonly bucket?: string } = {}): RequestLedger {
    const { shares = 1, bucket = server.address } = more;
    const options: LedgerOptions =
      kind === "folder" ? { folder, shares } : { bucket, credentials: keys, shares };
    return new RequestLedger("user at address", options, clock, (message) => messages.push(message));
  }

  const response = (remaining: number, endsInS = 600, limit = 1000): RateHeaders => ({
    limit,
    remaining,
    reset: clock.now() / 1000 + endsInS,
    date: new Date(clock.now()).toUTCString(),
  });

  /** Finds out about the window with one request, and leases. */
  async function begin(ledger: RequestLedger, headers = response(999)): Promise<number> {
    expect((await ledger.lease()).granted).toBe(1);
    expect([ledger.take(), ledger.take()]).toEqual([true, false]);
    ledger.learn(headers);
    return (await ledger.lease()).granted;
  }

  /** Leases until nothing is left, and returns how much that was. */
  async function drain(ledger: RequestLedger): Promise<number> {
    let all = 0;
    for (;;) {
      while (ledger.take()) all++;
      if ((await ledger.lease()).granted === 0) return all;
    }
  }

  it("gives out each request of the hour once", async () => {
    const [one, two] = [process(), process()];
    await begin(one);
    const [first, second] = await Promise.all([drain(one), drain(two)]);
    expect(1 + first + second).toBe(1000);
    expect(messages).toEqual([]);
  });

  it("gets back what a process has not used", async () => {
    const [one, two] = [process(), process()];
    expect(await begin(one)).toBe(32);
    expect(one.take()).toBe(true);
    await one.return();
    expect(one.take()).toBe(false);
    expect(await drain(two)).toBe(1000 - 2);
  });

  it("gets a lease back once, although the process returns it twice", async () => {
    const [one, two] = [process(), process()];
    await begin(one);
    await Promise.all([one.return(), one.return()]);
    await one.return();
    expect(await drain(two)).toBe(1000 - 1);
  });

  it("loses the lease of a killed process until the window ends", async () => {
    const [one, two] = [process(), process()];
    const lost = await begin(one);
    expect(await drain(two)).toBe(1000 - 1 - lost);
    clock.advance(602_000);
    expect(await begin(two)).toBeGreaterThan(0);
    expect(await drain(two)).toBe(1000 - 1);
  });

  it("does not return requests of an earlier window", async () => {
    const [one, two] = [process(), process()];
    await begin(one);
    clock.advance(602_000);
    await begin(two);
    await one.return();
    expect(await drain(two)).toBe(1000 - 1);
  });

  it("gives out a share", async () => {
    const one = process({ shares: 8 });
    await begin(one);
    expect(await drain(one)).toBe(125 - 1);
  });

  it("respects what others use without the ledger", async () => {
    const one = process();
    await begin(one);
    one.learn(response(100));
    expect(await drain(one)).toBeLessThanOrEqual(100);
  });

  describe.runIf(kind === "bucket")("when a response of the store is lost", () => {
    it("loses no leased request", async () => {
      const [one, two] = [process(), process()];
      await begin(one, response(999));
      server.fail("PUT", FILE, ...Array.from({ length: 4 }, () => "lost" as const));
      const [first, second] = await Promise.all([drain(one), drain(two)]);
      expect(1 + first + second).toBe(1000);
    });

    it("gets back a lease once", async () => {
      const [one, two] = [process(), process()];
      await begin(one);
      server.fail("PUT", FILE, "lost", "lost");
      await one.return();
      expect(await drain(two)).toBe(1000 - 1);
    });

    it("sends one request to find out about the window", async () => {
      const one = process();
      server.fail("PUT", FILE, "lost");
      expect(await begin(one)).toBe(32);
      expect(await drain(one)).toBe(1000 - 1);
    });
  });

  describe.runIf(kind === "bucket")("when the store cannot be used", () => {
    it("takes what the service reports as left, and says so once", async () => {
      const one = process();
      await begin(one);
      server.fail("GET", FILE, 403, 403, 403);
      while (one.take());
      expect((await one.lease()).granted).toBe(1);
      expect([one.take(), one.take()]).toEqual([true, true]);
      await one.return();
      expect(messages).toEqual([
        expect.stringMatching(
          /^The ledger of requests s3:\/\/state\/fleet\/requests-[0-9a-f]{32}\.json cannot be used \(the store responded with 403 Injected\), so this run takes what the service reports as left\.$/,
        ),
      ]);
    });

    it("names the setting that is missing", async () => {
      const one = process({ bucket: "s3://state" });
      await one.lease();
      expect(one.take()).toBe(true);
      expect(messages.join()).toContain("add ?region=... to its address, or set AWS_REGION");
    });
  });
});
