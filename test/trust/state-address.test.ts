/** No text of an address contains its user, password or parameters. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { StateAddress } from "../../trust/state-address.js";

const CANARY = "canary-Zx81";

describe("the text of an address", () => {
  it.each([
    [`postgres://ann:${CANARY}@db.example.com:5432/states`, "postgres://db.example.com:5432/states"],
    [`postgres://ann:${CANARY}@db.example.com/states?sslmode=require`, "postgres://db.example.com/states"],
    [`postgres://db.example.com/states?user=ann&password=${CANARY}`, "postgres://db.example.com/states"],
    [`postgres://ann:a/b/${CANARY}@db.example.com/states`, "postgres://db.example.com/states"],
    [`postgres://ann:a@b@${CANARY}@db.example.com/states`, "postgres://db.example.com/states"],
    [`postgres://ann:a?${CANARY}@db.example.com/states?sslmode=off`, "postgres://db.example.com/states"],
    [`postgres://ann:a#${CANARY}@db.example.com/states`, "postgres://db.example.com/states"],
    [`s3://bucket/folder?endpoint=https://minio:9000&awssdk=v2&sig=${CANARY}`, "s3://bucket/folder"],
    [`azblob://container?storage_account=acme&sas=${CANARY}`, "azblob://container"],
    [`gs://bucket?access_id=${CANARY}`, "gs://bucket"],
    [`https://ann:${CANARY}@pulumi.example.com/api?token=${CANARY}`, "https://pulumi.example.com/api"],
    [`https://${CANARY}@pulumi.example.com`, "https://pulumi.example.com"],
    [`file:///srv/states@2026/x?no_tmp_dir=${CANARY}`, "file:///srv/states@2026/x"],
    ["file://~/state", "file://~/state"],
    ["https://api.pulumi.com", "https://api.pulumi.com"],
  ])("%s is %s", (whole, shown) => {
    const address = new StateAddress(whole);
    const texts = [
      String(address),
      `${String(address)}`,
      inspect(address),
      inspect({ address }, { showHidden: true }),
    ];
    for (const text of [...texts, JSON.stringify({ address })]) expect(text).not.toContain(CANARY);
    expect(String(address)).toBe(shown);
    expect(address.whole).toBe(whole);
  });
});

it("knows what no message may repeat, as it is and decoded", () => {
  const { secrets } = new StateAddress(
    "postgres://ann:p%40ss-w%2Frd@db.example.com/states?sslmode=require&sig=abcd",
  );
  expect(secrets).toEqual(
    expect.arrayContaining([
      "ann:p%40ss-w%2Frd",
      "p%40ss-w%2Frd",
      "p@ss-w/rd",
      "sslmode=require&sig=abcd",
      "abcd",
    ]),
  );
  expect(secrets).not.toContain("require");
  expect(new StateAddress("file:///srv/state").secrets).toEqual([]);
});

describe("the scheme of an address", () => {
  it.each([
    ["s3://bucket", "s3", false],
    ["file:./state", "file", false],
    ["file:///srv/state", "file", false],
    ["http://pulumi.example.com", "http", true],
    ["https://pulumi.example.com", "https", true],
    ["httpsx://pulumi.example.com", "httpsx", false],
    ["xhttps://pulumi.example.com", "xhttps", false],
    ["mem:state", "", false],
    ["./file:x", "", false],
    ["/srv/s3://bucket", "", false],
    ["S3://bucket", "", false],
    ["file", "", false],
    ["", "", false],
  ])("of %s is %j", (whole, scheme, isOfService) => {
    const address = new StateAddress(whole);
    expect([address.scheme, address.isOfService]).toEqual([scheme, isOfService]);
  });
});

it("is the same with slashes at its end, and another with other credentials", () => {
  const address = new StateAddress("s3://bucket/a");
  expect(address.equals(new StateAddress("s3://bucket/a//"))).toBe(true);
  expect(address.equals(new StateAddress("s3://bucket//a"))).toBe(false);
  expect(address.equals(new StateAddress("s3://bucket/a?region=eu"))).toBe(false);
});

it("is serialized and inspected as its text", () => {
  const address = new StateAddress("s3://ann:secret@bucket/a");
  expect(JSON.parse(JSON.stringify([address]))).toEqual(["s3://bucket/a"]);
  expect(inspect(address)).toBe("s3://bucket/a");
});

describe("what no message may repeat", () => {
  it.each<[string, string[]]>([
    ["s3://bucket/a", []],
    ["s3://ann@bucket", []],
    ["s3://anna@bucket", ["anna"]],
    ["file:///srv/anna@work?password=12345", ["password=12345", "12345"]],
    ["File:///srv/anna@work", []],
    ["xfile://anna@work", ["anna"]],
    ["anna@work", ["anna"]],
    ["s3://bucket?a=1234567890123456789", ["a=1234567890123456789"]],
    ["s3://bucket?a=12345678901234567890", ["a=12345678901234567890", "12345678901234567890"]],
    ["s3://bucket?a=b&AuthKey=1=34", ["a=b&AuthKey=1=34", "1=34"]],
    ["s3://bucket#frag=1", ["frag=1"]],
    ["s3://?region", ["region"]],
    ["s3://anna:abcd/efgh@bucket", ["anna:abcd/efgh", "abcd/efgh", "abcd", "efgh"]],
    ["s3://anna:ab%40cdef@bucket", ["anna:ab%40cdef", "anna:ab@cdef", "ab%40cdef", "ab@cdef", "cdef"]],
    ["s3://anna:%E0%A4%A@bucket", ["anna:%E0%A4%A", "%E0%A4%A"]],
    // The host would be "anna:word", which is none: the question mark belongs to the password.
    ["s3://anna:word?more@bucket", ["anna:word?more", "word?more", "word", "more"]],
    // Here it is a host with its port, and the address has no user.
    ["s3://host:9000?mail=anna@example.com", ["mail=anna@example.com"]],
    ["s3://host:9000/a?mail=anna@example.com", ["mail=anna@example.com"]],
    ["s3://host/a:b?mail=anna@example.com", ["mail=anna@example.com"]],
    ["s3://host:?mail=anna@example.com", ["mail=anna@example.com"]],
    ["s3://anna@host?mail=bert@example.com", ["anna", "mail=bert@example.com"]],
    ["s3://?mail=anna@example.com", ["mail=anna@example.com"]],
  ])("of %s is %j", (whole, secrets) => {
    expect(new StateAddress(whole).secrets.toSorted()).toEqual(secrets.toSorted());
  });
});
