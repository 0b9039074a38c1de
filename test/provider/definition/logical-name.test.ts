/** Tests keys in logical names: each key has a unique name that can be decoded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeKey, unescapeKey } from "../../../provider/definition/logical-name.js";
import { readDeclarations } from "../../../workspace-file/load/index.js";

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
