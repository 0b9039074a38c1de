/** Tests what a bucket makes of the calls and failures of a store's own client. */
import { describe, expect, it } from "vitest";
import { type Bucket, Passing } from "../../recovery/bucket.js";
import { type ObjectClient, wrapClient } from "../../recovery/client-bucket.js";

const ADDRESS = new URL("gs://state/a%20b/c/?project=x");

/** A client with objects in memory. A failure is an error with a status, a code, or both. */
function opened(failure?: { readonly status?: number; readonly code?: string }, address = ADDRESS) {
  const objects = new Map<string, string>();
  const work = <T>(done: () => T): Promise<T> =>
    failure === undefined
      ? Promise.resolve().then(done)
      : Promise.reject(Object.assign(new Error("secret"), failure));
  const client: ObjectClient = {
    read: (key) =>
      work(() => {
        const text = objects.get(key);
        if (text === undefined) throw Object.assign(new Error("secret"), { status: 404 });
        return Buffer.from(text);
      }),
    write: (key, body) => work(() => objects.set(key, body)),
    create: (key, body) => work(() => objects.set(key, body)),
    remove: (key) => work(() => objects.delete(key)),
    keys: (prefix) => work(() => [...objects.keys()].filter((key) => key.startsWith(prefix))),
    failureOf: (error) => ({ status: undefined, ...(error as { status?: number; code?: string }) }),
  };
  return { objects, bucket: wrapClient(address, client) };
}

describe("a bucket of a store's own client", () => {
  it("is called by its address, without settings", () => {
    expect(opened().bucket.name).toBe("gs://state/a b/c");
    expect(opened(undefined, new URL("gs://state")).bucket.name).toBe("gs://state");
  });

  it("keeps its objects in the folder of the address", async () => {
    const { bucket, objects } = opened();
    await bucket.put("locks/1", "x");
    await bucket.create("locks/2", "y");
    expect([...objects]).toEqual([
      ["a b/c/locks/1", "x"],
      ["a b/c/locks/2", "y"],
    ]);
    expect(await bucket.text("locks/2")).toBe("y");
    expect(await bucket.list("locks/")).toEqual(["locks/1", "locks/2"]);
    await bucket.deleteAll(["locks/1", "missing"]);
    expect([...objects.keys()]).toEqual(["a b/c/locks/2"]);
  });

  it("has no text for an object that does not exist", async () => {
    expect(await opened().bucket.text("locks/1")).toBeUndefined();
  });

  it.each([409, 412])("leaves an object that another run has created (%i)", async (status) => {
    await expect(opened({ status }).bucket.create("locks/1", "x")).resolves.toBe(false);
  });

  it.each<[string, (bucket: Bucket) => Promise<unknown>]>([
    ["text", (bucket) => bucket.text("a")],
    ["put", (bucket) => bucket.put("a", "x")],
    ["create", (bucket) => bucket.create("a", "x")],
    ["deleteAll", (bucket) => bucket.deleteAll(["a"])],
    ["list", (bucket) => bucket.list("a")],
  ])("fails with the store's own code, which may pass: %s", async (_name, call) => {
    const { bucket } = opened({ status: 503, code: "Busy" });
    const error = await call(bucket).catch((found: unknown) => found as Error);
    expect(error).toBeInstanceOf(Passing);
    expect((error as Error).message).toBe("the store responded with 503 Busy");
  });

  it.each([
    [{ status: 403 }, "the store responded with 403", false],
    [{ code: "ECONNREFUSED" }, "the store does not respond: ECONNREFUSED", true],
    [{}, "the store does not respond: no connection", true],
  ])("says of %j: %s", async (failure, message, passes) => {
    const error = await opened(failure)
      .bucket.text("a")
      .catch((found: unknown) => found as Error);
    expect((error as Error).message).toBe(message);
    expect(error instanceof Passing).toBe(passes);
  });
});
