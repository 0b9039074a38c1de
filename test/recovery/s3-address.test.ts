/** Tests recovery/s3-address.ts. */
import { describe, expect, it } from "vitest";
import * as s3 from "../../recovery/s3-address.js";
import { StateAddress } from "../../trust/state-address.js";

const readBucketAddress = (address: string, usual?: string) =>
  s3.readBucketAddress(new StateAddress(address), usual);

describe("the address of a bucket", () => {
  it.each([
    ["s3://state?region=eu-west-1", "https://state.s3.eu-west-1.amazonaws.com", "/"],
    ["s3://state/a/b%20c/", "https://state.s3.us-west-2.amazonaws.com", "/a/b%20c/"],
    [
      "s3://state/a?endpoint=127.0.0.1:9000&disableSSL=true&s3ForcePathStyle=true",
      "http://127.0.0.1:9000",
      "/state/a/",
    ],
    ["s3://state?endpoint=https://store.example.com", "https://state.store.example.com", "/"],
    ["s3://my.state?region=r&s3ForcePathStyle=true", "https://s3.r.amazonaws.com", "/my.state/"],
  ])("%s is %s%s", (address, origin, path) => {
    expect(readBucketAddress(address, "us-west-2")).toMatchObject({ origin, path });
  });

  it.each([
    ["s3://", "write it as s3://bucket/prefix?region=eu-west-1"],
    ["s3://key:hunter2@state?region=r", "the address of the bucket is invalid"],
    ["s3://state?region=r&profile=hunter2", "has the setting profile: use only region, endpoint"],
    ["s3://state?region=r&endpoint=ftp://hunter2", "the endpoint of the bucket is invalid"],
    ["s3://state", "add ?region=... to its address, or set AWS_REGION"],
  ])("%s is refused, and not repeated", (address, message) => {
    const read = () => readBucketAddress(address);
    expect(read).toThrow(message);
    expect(read).not.toThrow("hunter2");
  });
});

describe("a bucket", () => {
  it("keeps its objects in the folder of its address, whose settings no message contains", () => {
    expect(readBucketAddress("s3://state//a/b%20c?region=r&s3ForcePathStyle=true")).toMatchObject({
      folder: "a/b c/",
      root: "/state/",
      name: "s3://state/a/b c",
      region: "r",
    });
    expect(readBucketAddress("s3://state?region=r", "other")).toMatchObject({
      folder: "",
      root: "/",
      name: "s3://state",
      region: "r",
    });
  });

  it.each([
    "s3://state?region=",
    "http://state?region=r",
    "state",
    "s3://state?region=r#x",
    "s3://:p@state?region=r",
  ])("has no address %s", (address) => {
    expect(() => readBucketAddress(address)).toThrow(/^the (address of the )?bucket /);
  });

  it.each(["http://user@host", "http://:password@host", "::"])("has no endpoint %s", (endpoint) => {
    const address = `s3://state?region=r&endpoint=${encodeURIComponent(endpoint)}`;
    expect(() => readBucketAddress(address)).toThrow("the endpoint of the bucket is invalid");
  });

  it("is read over TLS unless its address says otherwise", () => {
    const originOf = (settings: string) =>
      readBucketAddress(`s3://state?region=r&endpoint=h${settings}`).origin;
    expect(originOf("")).toBe("https://state.h");
    expect(originOf("&disableSSL=false")).toBe("https://state.h");
    expect(originOf("&disableSSL=true&s3ForcePathStyle=false")).toBe("http://state.h");
  });

  it("is opened with the key and the region of AWS's variables", () => {
    expect(
      s3.readBucketCredentials({
        AWS_ACCESS_KEY_ID: "a",
        AWS_SECRET_ACCESS_KEY: "s",
        AWS_SESSION_TOKEN: "t",
        AWS_DEFAULT_REGION: "second",
      }),
    ).toEqual({ accessKeyId: "a", secretAccessKey: "s", sessionToken: "t", region: "second" });
    expect(s3.readBucketCredentials({ AWS_REGION: "first", AWS_DEFAULT_REGION: "second" })).toMatchObject({
      accessKeyId: "",
      secretAccessKey: "",
      region: "first",
    });
  });
});
