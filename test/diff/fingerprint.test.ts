/** Tests fingerprints of values and of sets of findings, and numbers with their noun. */
import { describe, expect, it } from "vitest";
import { fingerprint, setFingerprint } from "../../diff/fingerprint.js";
import { formatCount } from "../../diff/format-count.js";

const [key, otherKey] = ["00ff", "ff00"];

describe("the fingerprint of a value", () => {
  it("is short, does not contain the value, and is the same in every run", () => {
    expect(fingerprint(key, "s3cr3t")).toMatch(/^hmac:[0-9a-f]{12}$/);
    expect(fingerprint(key, { a: 1, b: 2 })).toBe(fingerprint(key, { b: 2, a: 1 }));
  });

  it("differs for another value and for another key", () => {
    const values = ["s3cr3t", "S3cr3t", "", null, ["s3cr3t"], { a: 1 }, true].map((value) =>
      fingerprint(key, value),
    );
    expect(new Set(values).size).toBe(values.length);
    expect(fingerprint(otherKey, "s3cr3t")).not.toBe(values[0]);
  });

  it("is the same for a number and its text, as for the service", () => {
    expect(fingerprint(key, 8080)).toBe(fingerprint(key, "8080"));
  });
});

describe("the fingerprint of findings", () => {
  const [a, b] = [{ id: "a" }, { id: "b" }];

  it("does not depend on their order", () => {
    expect(setFingerprint([a, b], ["x", "y"])).toBe(setFingerprint([b, a], ["y", "x"]));
    expect(setFingerprint([a, b], [])).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("changes with a finding that comes or goes, and with what could not be read", () => {
    const all = [setFingerprint([], []), setFingerprint([a], []), setFingerprint([a, b], [])];
    const partly = [setFingerprint([a], [b]), setFingerprint([], [a, b]), setFingerprint([], [a])];
    expect(new Set([...all, ...partly]).size).toBe(6);
  });
});

it("a number has its noun in the singular or the plural", () => {
  expect([0, 1, 2, 1n].map((count) => formatCount(count, "object"))).toEqual([
    "0 objects",
    "1 object",
    "2 objects",
    "1 object",
  ]);
  expect(formatCount(2, "person", "people")).toBe("2 people");
});
