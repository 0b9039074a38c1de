/** Tests which values count as unknown, secret, not set, or equal. */
import { describe, expect, it } from "vitest";
import {
  areBothBlank,
  asSecret,
  hasSecret,
  hasUnknown,
  isBlank,
  isSameDeclared,
  isSameJson,
  isSameNested,
  isSameValue,
  isSecret,
  mapDeep,
  pickDefined,
  stringifyStably,
  UNKNOWN,
  withoutMarks,
} from "../../diff/values.js";

/** A secret as Pulumi's engine recognizes it. */
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value: "s3cr3t",
};

describe("a value that a preview does not know", () => {
  it.each([[UNKNOWN], [["a", UNKNOWN]], [{ a: "a", b: [{ c: UNKNOWN }] }]])("%j is found", (value) => {
    expect(hasUnknown(value)).toBe(true);
  });

  it.each([["a"], [null], [undefined], [7], [[]], [["a"]], [{}], [{ a: ["b"], c: null }]])(
    "%j is none",
    (value) => {
      expect(hasUnknown(value)).toBe(false);
    },
  );
});

describe("a secret", () => {
  it("is marked once, and nothing is marked where there is no value", () => {
    expect(asSecret("s3cr3t")).toEqual(secret);
    expect(asSecret(secret)).toBe(secret);
    expect([asSecret(null), asSecret(undefined)]).toEqual([null, undefined]);
    expect(asSecret("")).not.toBe("");
  });

  it.each([[secret], [["a", secret]], [{ a: "a", b: [{ c: secret }] }]])("%j is found", (value) => {
    expect(hasSecret(value)).toBe(true);
    expect(JSON.stringify(withoutMarks(value))).toBe(
      JSON.stringify(value, (_key, part: unknown) => (isSecret(part) ? part.value : part)),
    );
  });

  it.each([["a"], [null], [undefined], [7], [[]], [{ a: ["b"], value: null }]])("%j is none", (value) => {
    expect([isSecret(value), hasSecret(value)]).toEqual([false, false]);
    expect(withoutMarks(value)).toEqual(value);
  });

  it("in a resource to which a value refers is no part of the value", () => {
    class Resource {
      readonly displayName = secret;
    }
    expect(hasSecret({ project: new Resource() })).toBe(false);
  });

  it("within a secret loses its mark, too", () => {
    expect(withoutMarks(asSecret({ token: secret }))).toEqual({ token: "s3cr3t" });
  });
});

describe("the leaves of a value", () => {
  it("are replaced in lists and maps; an instance of a class is one", () => {
    const address = new URL("https://example.com");
    const bare = Object.assign(Object.create(null) as object, { deep: 1 });
    const value = { list: [1, { two: 2 }], none: null, address, bare };
    expect(mapDeep(value, (leaf) => (typeof leaf === "number" ? leaf * 10 : [leaf]))).toEqual({
      list: [10, { two: 20 }],
      none: [null],
      address: [address],
      bare: { deep: 10 },
    });
  });
});

describe("an argument", () => {
  it.each([[undefined], [null], [""], [false], [[]], [{}]])("is not set as %j", (value) => {
    expect(isBlank(value)).toBe(true);
    expect(areBothBlank(value, undefined)).toBe(true);
    expect(isSameValue(value, null)).toBe(true);
    expect(areBothBlank(value, "x")).toBe(false);
    expect(isSameValue("x", value)).toBe(false);
  });

  it.each([[0], [7], [true], ["x"], [[null]], [{ a: null }]])("is set as %j", (value) => {
    expect(isBlank(value)).toBe(false);
    expect(isSameValue(value, "")).toBe(false);
  });

  it.each<[unknown, unknown]>([
    [8080, 8080],
    ["web", "web"],
    [8080, "8080"],
    ["8080", 8080],
    [{ a: 1, b: null }, { a: 1 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[{ a: undefined }], [{}]],
    [[undefined], [null]],
  ])("is the same as %j and %j", (one, other) => {
    expect(isSameValue(one, other)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [8080, "8081"],
    ["8080", 8081],
    [8080, 8081],
    [true, "true"],
    [{ a: 1 }, { a: 2 }],
    // It may switch something off there.
    [{ a: false }, {}],
    [["a", "b"], ["b", "a"]], // prettier-ignore
    [["a"], ["a", null]],
    [["a"], { 0: "a" }],
  ])("differs between %j and %j", (one, other) => {
    expect(isSameValue(one, other)).toBe(false);
  });

  it("may be a list without an order", () => {
    const [one, other] = [[{ b: 1, a: null }, { a: 2 }, "c"], ["c", { a: 2 }, { b: 1 }]]; // prettier-ignore
    expect(isSameValue(one, other, true)).toBe(true);
    expect(isSameValue(one, other.slice(1), true)).toBe(false);
    expect(isSameValue(["a", "a", "b"], ["a", "b", "b"], true)).toBe(false);
    expect(isSameValue(["a"], "a", true)).toBe(false);
    expect(isSameValue("a", ["a"], true)).toBe(false);
  });
});

describe("an argument that is no longer declared", () => {
  it("has changed, even if its value was empty", () => {
    expect(isSameDeclared("", undefined)).toBe(false);
    expect(isSameDeclared(undefined, null)).toBe(false);
    expect(isSameDeclared(undefined, undefined)).toBe(true);
    expect(isSameDeclared("", null)).toBe(true);
  });

  it("has not changed if its value was the default", () => {
    expect(isSameDeclared("READ_ONLY", undefined, "READ_ONLY")).toBe(true);
    expect(isSameDeclared(null, "READ_ONLY", "READ_ONLY")).toBe(true);
    expect(isSameDeclared("READ_WRITE", undefined, "READ_ONLY")).toBe(false);
    expect(isSameDeclared(undefined, "READ_WRITE", "READ_ONLY")).toBe(false);
    expect(isSameDeclared(["b", "a"], undefined, ["a", "b"], true)).toBe(true);
    expect(isSameDeclared(["b", "a"], undefined, ["a", "b"])).toBe(false);
  });
});

describe("texts of JSON", () => {
  it("do not depend on the order of keys, at any depth", () => {
    expect(stringifyStably({ b: [{ d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
    expect(stringifyStably({ a: 1, c: 2, b: 3, d: 4 })).toBe('{"a":1,"b":3,"c":2,"d":4}');
    expect(isSameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isSameJson(undefined, null)).toBe(true);
  });

  it("tell apart what nested values treat as equal", () => {
    expect(isSameJson({ a: null }, {})).toBe(false);
    expect(isSameNested({ a: null }, {})).toBe(true);
  });
});

it("absent properties are removed, and null is not absent", () => {
  expect(Object.keys(pickDefined({ a: undefined, b: null, c: 0 }))).toEqual(["b", "c"]);
});
