/** Tests that validators and type generators of other languages can read the published schemas. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findPackageRoot } from "../../toolchain/locations.js";

const folder = join(findPackageRoot(), "schema");
const files = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));

/** Lists the values of a key, at any depth. */
function listValues(part: unknown, key: string): unknown[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => [
    ...(name === key ? [value] : []),
    ...listValues(value, key),
  ]);
}

it("there are schemas to read", () => {
  expect(files.length).toBeGreaterThan(30);
});

it.each(files)(
  "%s has no expression that Go and Rust do not know, and no reference into properties",
  (file) => {
    const schema: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const expressions = listValues(schema, "pattern").concat(
      listValues(schema, "patternProperties").flatMap((map) => Object.keys(map as object)),
    );
    expect(expressions.filter((text) => /\(\?(?:[=!]|<[=!])|\\[1-9]/.test(String(text)))).toEqual([]);
    // fastjsonschema takes each dollar for the end of the text.
    expect(expressions.filter((text) => /\[[^\]]*\$/.test(String(text)))).toEqual([]);
    // datamodel-code-generator takes a dot for a folder.
    expect(
      listValues(schema, "$defs")
        .flatMap((map) => Object.keys(map as object))
        .filter((name) => !/^[\w-]+$/.test(name)),
    ).toEqual([]);
    expect(listValues(schema, "$ref").filter((ref) => String(ref).includes("/properties/"))).toEqual([]);
  },
);
