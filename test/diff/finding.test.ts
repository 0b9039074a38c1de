/** Tests diff/finding.ts. */
import { describe, expect, it } from "vitest";
import { compareTexts, createFinding, sortFindings } from "../../diff/finding.js";

const group = { type: "Group", name: "groups/QA" };

describe("a finding", () => {
  it("has the same id in every run, and another one for another class or property", () => {
    const { id } = createFinding("changed", group, ["members", 1], { left: "a" });
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(createFinding("changed", group, ["members", 1], { left: "b" }).id).toBe(id);
    expect(createFinding("missing", group, ["members", 1], {}).id).not.toBe(id);
    expect(createFinding("changed", group, ["members", 2], {}).id).not.toBe(id);
  });

  it("names its property, and omits what a side does not have", () => {
    expect(
      createFinding("changed", group, ["env", "a b", 0, "c"], { left: null, right: undefined, note: "x" }),
    ).toStrictEqual({
      id: expect.any(String) as string,
      ...group,
      class: "changed",
      path: 'env["a b"][0].c',
      pathParts: ["env", "a b", 0, "c"],
      secret: false,
      note: "x",
    });
    expect(createFinding("changed", group, [], { left: "", secret: true })).toMatchObject({
      path: "",
      left: "",
      secret: true,
    });
  });

  it("is sorted by class, then by name, type and path, in any locale", () => {
    const at = (of: "missing" | "added", name: string, path: string[]) =>
      createFinding(of, { type: "Group", name }, path, {});
    const sorted = [
      at("missing", "Z", []),
      at("added", "A", []),
      at("added", "A", ["b"]),
      at("added", "a", []),
    ];
    for (const found of [sorted, sorted.toReversed()])
      expect(sortFindings(found, ["missing", "added"])).toEqual(sorted);
    expect(compareTexts(["a", "b"], ["a", "b"])).toBe(0);
  });
});
