/**
 * Holds property paths to the examples of Pulumi's own tests.
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/properties_path_test.go
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPropertyPath, parsePropertyPath, resetProperty } from "../../diff/property-path.js";
import type { PropertyPath } from "../../diff/structural-diff.js";
import { isPlain } from "../../diff/values.js";

describe("a property path", () => {
  /** Text, steps, and the text that Pulumi writes. */
  const examples: [text: string, steps: PropertyPath, written?: string][] = [
    ["", []],
    ["root", ["root"]],
    ["root.nested", ["root", "nested"]],
    ['root["nested"]', ["root", "nested"], "root.nested"],
    ["root.double.nest", ["root", "double", "nest"]],
    ['root["double"].nest', ["root", "double", "nest"], "root.double.nest"],
    ['root["double"]["nest"]', ["root", "double", "nest"], "root.double.nest"],
    ["root.array[0]", ["root", "array", 0]],
    ["root.array[100]", ["root", "array", 100]],
    ["root.array[0].nested", ["root", "array", 0, "nested"]],
    ["root.array2[0][1].nested", ["root", "array2", 0, 1, "nested"]],
    ["root.nested.array[0].double[1]", ["root", "nested", "array", 0, "double", 1]],
    [String.raw`root["key with \"escaped\" quotes"]`, ["root", 'key with "escaped" quotes']],
    ['root["key with a ."]', ["root", "key with a ."]],
    [String.raw`["root key with \"escaped\" quotes"].nested`, ['root key with "escaped" quotes', "nested"]],
    ['["root key with a ."][1]', ["root key with a .", 1]],
    // Providers write these, so Pulumi tolerates them.
    ["root.array.[1]", ["root", "array", 1], "root.array[1]"],
    ['root.["key with a ."]', ["root", "key with a ."], 'root["key with a ."]'],
    ['root["*"].field[1]', ["root", "*", "field", 1]],
    ["root[*].field[2]", ["root", "*", "field", 2], 'root["*"].field[2]'],
    ["root[3].*[3]", ["root", 3, "*", 3], 'root[3]["*"][3]'],
    ["*.bar", ["*", "bar"], '["*"].bar'],
    ['[1]["*"][2]', [1, "*", 2]],
    // A name ends at a point or a bracket only.
    ["foo-bar", ["foo-bar"], '["foo-bar"]'],
    ["root.foo-bar[0]", ["root", "foo-bar", 0], 'root["foo-bar"][0]'],
    ["foo:bar", ["foo:bar"], '["foo:bar"]'],
    ["foo/bar", ["foo/bar"], '["foo/bar"]'],
    ["foo@bar", ["foo@bar"], '["foo@bar"]'],
    ["foo bar", ["foo bar"], '["foo bar"]'],
    ["naïve", ["naïve"], '["naïve"]'],
    ['root."double".nest', ["root", '"double"', "nest"], String.raw`root["\"double\""].nest`],
    ["$", ["$"], '["$"]'],
    // Not in Pulumi's tests, but so in its parser.
    ["a..b", ["a", "b"], "a.b"],
    ["a[0]b", ["a", 0, "b"], "a[0].b"],
    ["a.b]", ["a", "b]"], 'a["b]"]'],
    ["a[-1]", ["a", -1]],
    [String.raw`a["b\c"]`, ["a", String.raw`b\c`]],
    [String.raw`a["b\\"c"]`, ["a", String.raw`b\"c`]],
  ];

  it.each(examples.map(([text, steps, written = text]) => ({ text, steps, written })))(
    "$text is read and written as by Pulumi",
    ({ text, steps, written }) => {
      expect(parsePropertyPath(text)).toEqual(steps);
      expect(formatPropertyPath(steps)).toBe(written);
    },
  );

  it.each(["root[", 'root["nested]', "root.array[abc]", "root.", ".root", "root[]", 'root["a"', "root.."])(
    "%s is none",
    (text) => {
      expect(parsePropertyPath(text)).toBeUndefined();
    },
  );

  it("has an escaped quote at its end, where no bracket follows", () => {
    expect(parsePropertyPath(String.raw`a["b\"]`)).toBeUndefined();
  });

  it("is read as it was written, except that nothing escapes a backslash before a quote", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/\\("|$)/.test(text));
    const path = fc.array(fc.oneof(key, fc.nat()));
    fc.assert(
      fc.property(path, (steps) => {
        expect(parsePropertyPath(formatPropertyPath(steps))).toEqual(steps);
      }),
    );
  });
});

describe("a part that a path names", () => {
  const failed = Symbol("failed");
  /** Path, old value, new value, and the new one with the part of the old one. */
  const examples: readonly (readonly [string, PropertyPath, unknown, unknown, unknown])[] = [
    ["missing key, not in object", ["missing"], { root: 1 }, { root: 2 }, { root: 2 }],
    ["missing key, not an object", ["root", "missing"], { root: 1 }, { root: 2 }, { root: 2 }],
    ["changed from an object", ["root", "nested"], { root: { nested: 1 } }, { root: 2 }, failed],
    ["changed to an object", ["root", "nested"], { root: 1 }, { root: { nested: 2 } }, { root: {} }],
    ["missing along path, not in object", ["missing", "path"], { root: 1 }, { root: 2 }, { root: 2 }],
    ["missing along path, not an object", ["root", "m", "path"], { root: 1 }, { root: 2 }, { root: 2 }],
    ["missing index, not in array", ["array", 1], { array: [1] }, { array: [1] }, { array: [1] }],
    ["missing index, not an array", ["root", 0], { root: 1 }, { root: 2 }, { root: 2 }],
    ["changed from an array", ["root", 0], { root: [1] }, { root: 2 }, failed],
    ["changed to an array", ["root", 0], { root: 1 }, { root: [2] }, failed],
    ["invalid index, not in array", ["array", -1], { array: [1] }, { array: [1] }, failed],
    ["invalid index, not an array", ["root", -1], { root: 1 }, { root: 2 }, failed],
    ["index out of bound in old", ["root", 1], { root: [2] }, { root: [3, 4] }, failed],
    ["index out of bound in new", ["root", 1], { root: [1, 2] }, { root: [3] }, failed],
    [
      "missing index along path",
      ["root", 0, "other"],
      { root: { nested: 1 } },
      { root: { nested: 2 } },
      { root: { nested: 2 } },
    ],
    [
      "index out of bound in old along path",
      ["root", 1, "n"],
      { root: [{ n: 1 }] },
      { root: [{ n: 3 }, { n: 4 }] },
      failed,
    ],
    [
      "index out of bound in new along path",
      ["root", 1, "n"],
      { root: [{ n: 1 }, { n: 2 }] },
      { root: [{ n: 3 }] },
      failed,
    ],
    ["single element", ["root"], { root: 1 }, { root: 2 }, { root: 1 }],
    [
      "nested, changed",
      ["root", "nested"],
      { root: { nested: 1 } },
      { root: { nested: 2 } },
      { root: { nested: 1 } },
    ],
    ["nested, added", ["root", "nested"], { root: {} }, { root: { nested: 2 } }, { root: {} }],
    ["nested, removed", ["root", "nested"], { root: { nested: 1 } }, { root: {} }, { root: { nested: 1 } }],
    ["nested, fully removed", ["root", "nested"], { root: { nested: 1 } }, {}, failed],
    ["nested, nested added", ["root", "nested"], {}, { root: { nested: 2 } }, { root: {} }],
    ["array index", ["array", 0], { array: [1] }, { array: [2] }, { array: [1] }],
    [
      "array index, along path",
      ["array", 0, "item"],
      { array: [{ item: 1 }] },
      { array: [{ item: 2 }] },
      { array: [{ item: 1 }] },
    ],
    ["array index, added", ["array", 0], { array: [] }, { array: [2] }, failed],
    ["array index, removed", ["array", 0], { array: [1] }, { array: [] }, failed],
    ["wildcard at root", ["*"], { root: 1 }, { root: 2 }, { root: 1 }],
    ["wildcard, then element", ["*", "n"], { root: { n: 1 } }, { root: { n: 2 } }, { root: { n: 1 } }],
    [
      "wildcard in array, then element",
      ["root", "*", "n"],
      { root: [{ n: 1 }, { n: 2 }] },
      { root: [{ n: 3 }, { n: 4 }] },
      { root: [{ n: 1 }, { n: 2 }] },
    ],
    ["nested wildcard", ["root", "*"], { root: { n: 1 } }, { root: { n: 2 } }, { root: { n: 1 } }],
    ["nested wildcard in array", ["root", "*"], { root: [1, 2] }, { root: [3, 4] }, { root: [1, 2] }],
    ["nested wildcard, added", ["root", "*"], { root: {} }, { root: { n: 2 } }, { root: {} }],
    ["nested wildcard, removed", ["root", "*"], { root: { n: 2 } }, { root: {} }, { root: { n: 2 } }],
    ["wildcard, array to object", ["root", "*"], { root: [1] }, { root: { n: 2 } }, { root: { n: 2 } }],
    ["wildcard, object to array", ["root", "*"], { root: { n: 2 } }, { root: [1] }, { root: [1] }],
    ["wildcard, object to number", ["root", "*"], { root: { n: 2 } }, { root: 1 }, failed],
    ["wildcard, number to object, along path", ["root", "*", "n"], { root: 1 }, { root: { n: 2 } }, failed],
    ["wildcard, object to number, along path", ["root", "*", "n"], { root: { n: 1 } }, { root: 2 }, failed],
    ["wildcard, missing, along path", ["root", "*", "n"], { root: { n: 1 } }, { root: {} }, failed],
    [
      "wildcard in array, new one is shorter",
      ["root", "array", "*"],
      { root: { array: [1] } },
      { root: { array: [] } },
      failed,
    ],
    ["wildcard in array, index along path", ["root", "*", 0], { root: [1, [1]] }, { root: [2, []] }, failed],
    ["wildcard in array, old one is longer", ["root", "*", 0], { root: [1, 2] }, { root: [3] }, failed],
    ["wildcard in array, new one is longer", ["root", "*", 0], { root: [1] }, { root: [3, 4] }, failed],
  ];

  it.each(examples)("is replaced as by Pulumi: %s", (_title, path, old, value, expected) => {
    const before = structuredClone(value);
    const isDone = expected !== failed;
    expect(resetProperty(value, old, path)).toStrictEqual({ value: isDone ? expected : before, isDone });
    // Callers keep the value.
    expect(value).toStrictEqual(before);
  });

  it("may be a key that objects of JavaScript have anyway", () => {
    const value = JSON.parse('{"__proto__": {"a": 2}}') as unknown;
    const from = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
    const reset = resetProperty(value, from, ["__proto__", "a"]).value;
    expect(JSON.stringify(reset)).toBe('{"__proto__":{"a":1}}');
    expect(isPlain(reset)).toBe(true);
  });
});
