import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BucketStore } from "../../../client/ledger/bucket-store.js";
import type { Ledger } from "../../../client/ledger/ledger.js";
import { startObjectStore, type MemoryObjectStore } from "./object-store.js";

const credentials = {
  accessKeyId: "key-of-the-tests",
  secretAccessKey: "the-secret-key",
  sessionToken: "a-session",
};
const FILE = "requests-1.json";

/** Takes one of the window's requests. */
function takeOne(ledger: Ledger): number {
  ledger.window ??= { reset: 1, resetAt: 1, left: 100 };
  return ledger.window.left--;
}

describe("a ledger in a bucket", () => {
  let server: MemoryObjectStore;
  beforeEach(async () => void (server = await startObjectStore()));
  afterEach(() => server.close());

  const opened = (address = server.address) => new BucketStore(address, FILE, credentials);
  const stored = () => JSON.parse(server.objects.get(`/state/fleet/${FILE}`) ?? "null") as Ledger | null;
  const failing = (store = opened()) =>
    store.change(takeOne).then(
      () => "",
      (error: Error) => error.message,
    );

  it("is created by the first change", async () => {
    expect(await opened().change(takeOne)).toBe(100);
    expect(stored()).toMatchObject({ version: 1, window: { left: 99 } });
  });

  it("loses no change of processes that write at the same time", async () => {
    const stores = Array.from({ length: 8 }, () => opened());
    const taken = await Promise.all(
      stores.flatMap((store) => [store.change(takeOne), store.change(takeOne)]),
    );
    expect(new Set(taken).size).toBe(16);
    expect(stored()?.window?.left).toBe(100 - 16);
  });

  it("is not written when nothing has changed", async () => {
    await opened().change(takeOne);
    server.requests.length = 0;
    await opened().change(() => undefined);
    expect(server.requests.filter(({ path }) => path.endsWith(FILE)).map(({ method }) => method)).toEqual([
      "GET",
    ]);
  });

  it.each([409, 412, 500, 503])(
    "is changed once although the store responds with %i at first",
    async (status) => {
      const store = opened();
      server.fail("PUT", FILE, status, status);
      await store.change(takeOne);
      expect(stored()?.window?.left).toBe(99);
    },
  );

  it("shows a change whose response was lost to the next attempt", async () => {
    server.fail("PUT", FILE, "lost");
    const seen: unknown[] = [];
    await opened().change((ledger) => {
      seen.push(ledger.leases["mine"]);
      ledger.leases["mine"] = 5;
    });
    expect(seen).toEqual([undefined, 5]);
  });

  it("is signed, and never sends the secret", async () => {
    await opened().change(takeOne);
    for (const { headers } of server.requests) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=key-of-the-tests\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=.*host.*x-amz-security-token, Signature=[0-9a-f]{64}$/,
      );
      expect(headers["x-amz-security-token"]).toBe("a-session");
      expect(JSON.stringify(headers)).not.toContain("the-secret-key");
    }
  });

  it("gives up with the store's own code when it may not be read", async () => {
    server.fail("GET", FILE, 403);
    expect(await failing()).toBe("the store responded with 403 Injected");
  });

  it("gives up when the store fails again and again", async () => {
    server.fail("GET", FILE, 500, 502, 503, 504, 500);
    expect(await failing()).toBe("the store responded with 500 Injected");
    expect(server.requests.filter(({ path }) => path.endsWith(FILE))).toHaveLength(5);
  });

  it("gives up when nobody responds", async () => {
    const { address } = server;
    await server.close();
    expect(await failing(opened(address))).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ does not respond: ECONNREFUSED$/,
    );
    server = await startObjectStore();
  });

  it("does not show the contents of another object", async () => {
    server.objects.set(`/state/fleet/${FILE}`, "password: hunter2");
    expect(await failing()).toBe("the object is not a ledger: delete it, or use another prefix");
  });

  it.each([
    ["AWS_ACCESS_KEY_ID", { accessKeyId: "", secretAccessKey: "s" }],
    ["AWS_SECRET_ACCESS_KEY", { accessKeyId: "a", secretAccessKey: "" }],
    ["AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", { accessKeyId: "", secretAccessKey: "" }],
  ])("needs %s", (names, keys) => {
    expect(() => new BucketStore(server.address, FILE, keys)).toThrow(`the bucket needs a key: set ${names}`);
  });
});

describe("an object store that ignores conditions", () => {
  it.each([[["if-none-match"]], [["if-match"]], [["if-none-match", "if-match"]]])(
    "%j is refused",
    async (ignored) => {
      const server = await startObjectStore(ignored);
      const names = ignored.map((name) => (name === "if-match" ? "If-Match" : "If-None-Match")).join(" and ");
      for (const store of [1, 2].map(() => new BucketStore(server.address, FILE, credentials))) {
        await expect(store.change(takeOne)).rejects.toThrow(
          `the store ignores the conditions of writes (${names}): use another store, or a folder`,
        );
      }
      expect(server.objects.has(`/state/fleet/${FILE}`)).toBe(false);
      await server.close();
    },
  );
});
