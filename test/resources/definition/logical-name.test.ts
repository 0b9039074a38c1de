/** Tests keys in logical names: each key has a unique name that can be decoded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildNameIn,
  countCommonParts,
  escapeKey,
  LogicalName,
  unescapeKey,
} from "../../../resources/definition/logical-name.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";

const pieces = fc.array(fc.constantFrom("%", "2", "5", "F", "/", "%2F", "%25", "a"), { maxLength: 9 });

describe("a key in a logical name", () => {
  it("is one segment of the path and can be decoded", () => {
    fc.assert(
      fc.property(pieces, (all) => {
        const key = all.join("");
        expect(escapeKey(key)).not.toContain("/");
        expect(unescapeKey(escapeKey(key))).toBe(key);
      }),
    );
  });

  it("with a slash differs from a key that contains the encoded slash", () => {
    const text = "version: 1\ngroups: { A/B: {}, A%2FB: {}, A%252FB: {}, 100%: {} }\n";
    const { declarations } = readDeclarations("-", { stdin: () => text });
    expect(declarations.map(({ name }) => name)).toEqual([
      "groups/A%2FB",
      "groups/A%252FB",
      "groups/A%25252FB",
      "groups/100%",
    ]);
  });
});

it("splits a logical name into sections and keys", () => {
  const name = new LogicalName("projects/web%2Fshop/pipelines/deploy");
  expect(name.steps).toEqual([
    { section: "projects", key: "web/shop", escaped: "web%2Fshop" },
    { section: "pipelines", key: "deploy", escaped: "deploy" },
  ]);
  expect([name.section, name.parent]).toEqual(["projects/web%2Fshop/pipelines", "projects/web%2Fshop"]);
});

it("knows the keys and the objects around an object, also around one without a key", () => {
  const name = new LogicalName("projects/web%2Fshop/pipelines/deploy");
  expect(name.keys).toEqual(["web/shop", "deploy"]);
  expect(name.ancestors).toEqual(["projects/web%2Fshop"]);
  expect(new LogicalName("projects/web/pipelines/deploy/order").ancestors).toEqual([
    "projects/web",
    "projects/web/pipelines/deploy",
  ]);
  expect(new LogicalName("groups/QA").ancestors).toEqual([]);
});

it("builds names, and counts what two of them have in common", () => {
  expect(buildNameIn("projects/web", "branches", "fix/1")).toBe("projects/web/branches/fix%2F1");
  expect([buildNameIn("", "groups", "QA"), buildNameIn(undefined, "groups", "QA")]).toEqual([
    "groups/QA",
    "groups/QA",
  ]);
  expect(countCommonParts("projects/web/variables/A", "projects/web/pipelines/deploy")).toBe(2);
  expect(countCommonParts("projects/web", "projects/web")).toBe(2);
});

it("knows names at the top, of other forms, and of nothing", () => {
  expect([new LogicalName("groups/QA").section, new LogicalName("groups/QA").parent]).toEqual(["groups", ""]);
  expect(new LogicalName("projects/web/order").steps).toHaveLength(1);
  expect(new LogicalName("").steps).toEqual([]);
});
