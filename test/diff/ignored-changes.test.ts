/** Tests diff/ignored-changes.ts. */
import { describe, expect, it } from "vitest";
import { withIgnored } from "../../diff/ignored-changes.js";

describe("ignored parts", () => {
  const value = { a: 1, map: { x: 1, y: 1 }, list: [{ v: 1 }, { v: 1 }] };
  const from = { a: 2, map: { x: 2, z: { v: 2 } }, list: [{ v: 2 }] };

  it.each([
    ["a", { ...value, a: 2 }],
    ["missing", value],
    ["map.x", { ...value, map: { x: 2, y: 1 } }],
    ["map.z", { ...value, map: { x: 1, y: 1, z: { v: 2 } } }],
    ["map.y", { ...value, map: { x: 1 } }],
    ["map.*", { ...value, map: { x: 2, z: { v: 2 } } }],
    // What only one version has is added or removed as a whole only.
    ["map.y.v", value],
    ["map.z.v", value],
    // A list keeps its length.
    ["list[0]", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["list[0].v", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["list[0].w", value],
    ["list[1]", value],
    ["list[1].v", value],
    ["list[*]", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["list[*].v", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["a.b", value],
  ])("%s are taken from the other version", (path, expected) => {
    expect(withIgnored(value, from, [path])).toStrictEqual(expected);
  });

  it("of several paths are all taken", () => {
    expect(withIgnored(value, from, ["a", "map.x"])).toStrictEqual({
      ...value,
      a: 2,
      map: { x: 2, y: 1 },
    });
  });

  it.each(["text", null])("that the other version has nowhere are removed: %j", (a) => {
    expect(withIgnored({ a: { x: 1, y: 1 } }, { a }, ["a.x"])).toStrictEqual({ a: { y: 1 } });
  });

  // As in Pulumi's engine, which reports no error either.
  it.each<[string, unknown, unknown]>([
    ["a[", { a: 1 }, { a: 2 }],
    ["a[0]", { a: ["x"] }, { a: { 0: "y" } }],
    ["a[0]", { a: { 0: "x" } }, { a: ["y"] }],
    ["a[0]", { a: { 0: "x" } }, { a: { 0: "y" } }],
    ["a.x", { a: null }, { a: { x: 1 } }],
    ["a.hash", { a: new URL("https://a.example") }, { a: { hash: "#b" } }],
  ])("do not exist where %s cannot be followed from %j to %j", (path, one, other) => {
    expect(withIgnored(one, other, [path])).toStrictEqual(one);
  });
});
