import { describe, expect, it } from "vitest";
import { parseIgnoredPath, withIgnored } from "../../diff/ignored-changes.js";

describe("a path of ignoreChanges", () => {
  it.each([
    ["description", ["description"]],
    ["variables.TIER", ["variables", "TIER"]],
    ['variables["a.b"].value', ["variables", "a.b", "value"]],
    ["headers[0].value", ["headers", 0, "value"]],
    ["headers[*].value", ["headers", "*", "value"]],
    ["variables.*", ["variables", "*"]],
  ])("%s is written as in Pulumi", (text, parts) => {
    expect(parseIgnoredPath(text)).toEqual(parts);
  });

  it.each(["", ".a", "a..b", "a[", "[0]", "a[x]", "a.b]", 'a["b'])("%j is none", (text) => {
    expect(parseIgnoredPath(text)).toBeUndefined();
  });
});

describe("ignored parts", () => {
  const value = { a: 1, map: { x: 1, y: 1 }, list: [{ v: 1 }, { v: 1 }] };
  const from = { a: 2, map: { x: 2, z: 2 }, list: [{ v: 2 }] };

  it.each([
    ["a", { ...value, a: 2 }],
    ["missing", value],
    ["map.x", { ...value, map: { x: 2, y: 1 } }],
    ["map.z", { ...value, map: { x: 1, y: 1, z: 2 } }],
    ["map.y", { ...value, map: { x: 1 } }],
    ["map.*", { ...value, map: { x: 2, z: 2 } }],
    // A list keeps its length.
    ["list[0].v", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["list[1].v", value],
    ["list[*].v", { ...value, list: [{ v: 2 }, { v: 1 }] }],
    ["a.b", value],
  ])("%s are taken from the other version", (path, expected) => {
    expect(withIgnored(value, from, [path])).toEqual(expected);
  });
});
