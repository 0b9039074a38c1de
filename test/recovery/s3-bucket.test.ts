/** Tests recovery/s3-bucket.ts. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Passing, refusesExisting } from "../../recovery/bucket.js";
import { S3Bucket } from "../../recovery/s3-bucket.js";
import { StateAddress } from "../../trust/state-address.js";
import { type MemoryObjectStore, startObjectStore } from "./object-store.js";

const credentials = {
  accessKeyId: "key-of-the-tests",
  secretAccessKey: "the-secret-key",
  sessionToken: "a-session",
};
const FILE = "run.jsonl";

describe("a bucket", () => {
  let server: MemoryObjectStore;
  beforeEach(async () => void (server = await startObjectStore()));
  afterEach(() => server.close());

  const opened = (address = server.address) => new S3Bucket(new StateAddress(address), credentials);
  const failing = (bucket = opened()) =>
    bucket.text(FILE).then(
      () => undefined,
      (error: Error) => error,
    );

  it("returns what was written", async () => {
    expect(await opened().text(FILE)).toBeUndefined();
    await opened().put(FILE, "a line\n");
    expect(await opened().text(FILE)).toBe("a line\n");
    expect([...server.objects]).toEqual([[`/state/fleet/${FILE}`, "a line\n"]]);
  });

  it("gets keys as signatures encode them, because some servers compare both", async () => {
    const key = "it's (a*b)! ü+&.json";
    await opened().put(key, "x");
    expect(server.requests[0]?.path).toBe("/state/fleet/it%27s%20%28a%2Ab%29%21%20%C3%BC%2B%26.json");
    expect(await opened().text(key)).toBe("x");
  });

  it("gets signed requests, and never the secret", async () => {
    await opened().put(FILE, "x");
    await opened().text(FILE);
    expect(server.requests).toHaveLength(2);
    for (const { headers } of server.requests) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=key-of-the-tests\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=.*host.*x-amz-security-token, Signature=[0-9a-f]{64}$/,
      );
      expect(headers["x-amz-security-token"]).toBe("a-session");
      expect(JSON.stringify(headers)).not.toContain("the-secret-key");
    }
  });

  it.each([
    ["leaves one that another run has created", 412, "", false],
    ["writes one where the store knows no condition", 501, "a line\n", true],
  ])("%s (%i)", async (_why, status, text, isWritten) => {
    server.objects.set(`/state/fleet/${FILE}`, "");
    server.fail("PUT", FILE, status);
    expect(await opened().create(FILE, "a line\n")).toBe(isWritten);
    expect(server.requests[0]?.headers["if-none-match"]).toBe("*");
    expect(await opened().text(FILE)).toBe(text);
  });

  it.each([
    ["of one that overwrites", async () => {}, false],
    ["of one that refuses", (file: string) => Promise.resolve(server.fail("PUT", file, 412)), true],
  ])("asks whether an object that exists is refused: the answer %s", async (_which, prepare, refuses) => {
    const bucket = opened();
    // The first request writes the object.
    const put = bucket.put.bind(bucket);
    bucket.put = async (key, body) => {
      await put(key, body);
      await prepare(key);
    };
    expect(await refusesExisting(bucket)).toBe(refuses);
    expect(server.objects.size).toBe(0);
  });

  it.each([
    ["alone", ["locks/"], true],
    ["with a lock in it", ["locks/", "locks/a.json"], false],
    ["not at all", [], false],
  ])(
    "removes what is shown in the place of an emptied folder, which is listed %s",
    async (_how, keys, removes) => {
      const listed = keys.map((key) => `<Contents><Key>fleet/${key}</Key></Contents>`).join("");
      server.objects.set("/state/?list-type=2&delimiter=%2F&prefix=fleet%2Flocks%2F&max-keys=2", listed);
      server.objects.set("/state/fleet/locks/", "");
      await opened().removeEmptyFolder("locks/");
      const deleted = server.requests.filter(({ method }) => method === "DELETE").map(({ path }) => path);
      expect(deleted).toEqual(removes ? ["/state/fleet/locks/"] : []);
    },
  );

  it("tries to create an object again while another run is writing it", async () => {
    server.fail("PUT", FILE, 409);
    await expect(opened().create(FILE, "x")).rejects.toBeInstanceOf(Passing);
  });

  it.each([
    [403, false],
    [408, true],
    [500, true],
    [503, true],
  ])("reports %i with the store's own code, and whether it may pass (%s)", async (status, passes) => {
    server.fail("GET", FILE, status);
    const error = await failing();
    expect(error?.message).toBe(`the store responded with ${status} Injected`);
    expect(error instanceof Passing).toBe(passes);
  });

  it("says when nobody responds", async () => {
    const { address } = server;
    await server.close();
    const error = await failing(opened(address));
    expect(error).toBeInstanceOf(Passing);
    expect(error?.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+ does not respond: ECONNREFUSED$/);
    server = await startObjectStore();
  });

  it.each([
    ["AWS_ACCESS_KEY_ID", { accessKeyId: "", secretAccessKey: "s" }],
    ["AWS_SECRET_ACCESS_KEY", { accessKeyId: "a", secretAccessKey: "" }],
    ["AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", { accessKeyId: "", secretAccessKey: "" }],
  ])("needs %s", (names, keys) => {
    expect(() => new S3Bucket(new StateAddress(server.address), keys)).toThrow(
      `the bucket needs a key: set ${names}`,
    );
  });
});
