/** Tests diff/structural-diff.ts. */
import { describe, expect, it } from "vitest";
import { diffLeaves, isRecord, isReordering, type Walk } from "../../diff/structural-diff.js";

const paths = (values: readonly unknown[], walk?: Walk) =>
  [...diffLeaves(values, walk)].map(({ path }) => path.join("."));

describe("the leaves of several versions of a value", () => {
  it("are found in maps by key and in lists of equal length by index", () => {
    const found = [...diffLeaves([{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }], c: 4 }])];
    expect(found).toEqual([
      { path: ["a", 0], values: [1, 1], orderFree: false },
      { path: ["a", 1, "b"], values: [2, 3], orderFree: false },
      { path: ["c"], values: [undefined, 4], orderFree: false },
    ]);
  });

  it("include lists of different lengths, and lists compared with other values, as a whole", () => {
    expect(paths([{ a: [1] }, { a: [1, 2] }])).toEqual(["a"]);
    expect(paths([{ a: [1] }, { a: { b: 1 } }])).toEqual(["a"]);
    expect(paths([{ a: "xy" }, { a: ["x", "y"] }])).toEqual(["a"]);
    expect(paths([{ a: [1] }, { a: [1] }, { a: [1, 2] }])).toEqual(["a"]);
  });

  it("are found in two versions even if a third is undefined", () => {
    for (const none of [undefined, null]) expect(paths([none, { a: 1 }, { a: 2, b: 3 }])).toEqual(["a", "b"]);
    expect(paths([null, undefined, { a: 1 }])).toEqual([""]);
  });

  it("include an unordered list as a whole, but not nested lists", () => {
    expect(paths([[1, 2], [2, 1]], { orderFree: true })).toEqual([""]); // prettier-ignore
    expect(paths([{ a: [1, 2] }, { a: [1, 3] }], { orderFree: true })).toEqual(["a.0", "a.1"]);
  });

  it("include a reordered list as a whole if requested", () => {
    const lists = [["x", "y"], ["y", "x"]]; // prettier-ignore
    expect(paths(lists)).toEqual(["0", "1"]);
    expect(paths(lists, { isReordering })).toEqual([""]);
    expect(paths([["x", "y"], ["x", "z"]], { isReordering })).toEqual(["0", "1"]); // prettier-ignore
    expect(paths([["x", "y"], ["x", "y"]], { isReordering })).toEqual(["0", "1"]); // prettier-ignore
  });

  it("include a list as a whole if its last two versions are in another order", () => {
    const [declared, moved] = [["x", "y"], ["y", "x"]]; // prettier-ignore
    expect(paths([declared, declared, moved], { isReordering })).toEqual([""]);
    expect(paths([moved, declared, declared], { isReordering })).toEqual(["0", "1"]);
  });

  it("are own properties only", () => {
    const [leaf] = diffLeaves([JSON.parse('{"__proto__":1}'), {}]);
    expect(leaf).toEqual({ path: ["__proto__"], values: [1, undefined], orderFree: false });
    expect(paths([{ constructor: 1 }, {}])).toEqual(["constructor"]);
  });
});

it("null, a list and a text are no records", () => {
  expect([{}, null, [], "a", undefined].map(isRecord)).toEqual([true, false, false, false, false]);
});
