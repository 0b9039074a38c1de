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
