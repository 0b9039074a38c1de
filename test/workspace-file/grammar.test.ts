/**
 * Checks that the JSON Schema and the definitions that it is generated from agree on any entry, valid or
 * invalid.
 */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Definition,
  definitions,
  type Fields,
  getArgsSchema,
  getVariant,
} from "../../provider/index.js";
import { listArgsFromParent } from "../../resources/definition/placement.js";
import { entryWords } from "../../workspace-file/index.js";

type Placed = Definition & { readonly document: NonNullable<Definition["document"]> };
const kinds = definitions.filter((d): d is Placed => d.document !== undefined && d.document.form !== "keys");
const schema = JSON.parse(readFileSync("schema/workspace.schema.json", "utf8")) as object;
const ajv = new Ajv2020({ strict: false });
const validate = ajv.compile(schema);

/** Returns a document with one entry of the type, inside its required parents. */
function documentWith(kind: Placed, entry: Fields): object {
  const { form, section, under } = kind.document;
  const held = { [section]: form === "list" ? [entry] : { entry } };
  const [parent] = Object.keys(under);
  if (parent === "workspace") return { version: 1, ...held };
  if (parent === "Project") return { version: 1, projects: { web: held } };
  return {
    version: 1,
    projects: { web: { pipelines: { p: { triggerMode: "MANUAL", refName: "main", ...held } } } },
  };
}

/** Validates the entry's arguments with the definition, except those that follow from its parents. */
function rightFor(kind: Placed, entry: Fields): boolean {
  if (kind.variants && getVariant(kind, entry) === undefined) return false;
  const { keyedBy, form } = kind.document;
  const place = listArgsFromParent(kind);
  if (place.some((arg) => arg in entry)) return false;
  const shape = getArgsSchema(kind, entry);
  const given = Object.fromEntries(place.filter((arg) => arg in shape.shape).map((arg) => [arg, undefined]));
  const optional = Object.fromEntries(
    [...place, ...(form === "map" ? [keyedBy] : [])]
      .filter((arg) => arg in shape.shape)
      .map((arg) => [arg, true as const]),
  );
  return shape.partial(optional as Record<never, never>).safeParse({ ...entry, ...given }).success;
}

/** Returns the arguments of the examples, with references to other examples as names. */
function examplesOf(kind: Placed): Fields[] {
  const variants = kind.variants ? Object.values(kind.variants.of) : [kind];
  return variants.flatMap(({ examples }) => {
    const all = { ...kind.examples.create, ...examples.create, ...examples.update };
    const place = [
      ...["members", "exclusive"],
      ...listArgsFromParent(kind),
      ...(kind.document.form === "map" ? [kind.document.keyedBy] : []),
    ];
    const own = Object.entries(all).filter(([name]) => !place.includes(name));
    return [
      Object.fromEntries(
        own.map(([name, value]) => [name, typeof value === "string" ? value.replace("@", "") : value]),
      ),
    ];
  });
}

const values = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "text",
    "2026-01-31T08:00:00Z",
    "MANUAL",
    "BUILD",
    "PING",
    "PUSH",
    "ENV_KEY",
    "BASH",
    "ON_WARNING",
  ),
  fc.constantFrom<unknown>(true, false, null, 0, 1, -1, 601, 70000, 1.5),
  fc.constantFrom<unknown>(
    [],
    ["a"],
    [1],
    [{}],
    {},
    { a: 1 },
    [{ name: "a", value: "b" }],
    [{ type: "INLINE", value: "x" }],
  ),
);

describe.each(kinds.map((kind) => [kind.type, kind] as const))("%s", (_type, kind) => {
  // Sections, keywords of entries and short forms have rules of their own.
  const sections = kinds.filter((k) => kind.type in k.document.under).map((k) => k.document.section);
  const apart = [...sections, ...Object.keys(entryWords), "key", "template", "with", "members"];
  const names = [
    ...new Set([
      ...Object.keys(kind.args.shape),
      ...Object.values(kind.variants?.of ?? {}).flatMap(({ args }) => Object.keys(args)),
      ...["unheardOf", "Name"],
    ]),
  ].filter((name) => !apart.includes(name));

  it("has examples that both accept", () => {
    for (const entry of examplesOf(kind)) {
      expect(rightFor(kind, entry), JSON.stringify(entry)).toBe(true);
      expect(validate(documentWith(kind, entry)), JSON.stringify([entry, validate.errors])).toBe(true);
    }
  });

  it("is accepted or refused by both after random changes", () => {
    const change = fc.record({
      name: fc.constantFrom(...names),
      value: fc.option(values, { nil: undefined }),
    });
    const property = fc.property(
      fc.constantFrom(...examplesOf(kind)),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (example, changes) => {
        const entry: Record<string, unknown> = { ...example };
        for (const { name, value } of changes) {
          if (value === undefined) Reflect.deleteProperty(entry, name);
          else entry[name] = value;
        }
        expect(validate(documentWith(kind, entry)), JSON.stringify(entry)).toBe(rightFor(kind, entry));
      },
    );
    fc.assert(property, { numRuns: 1500 });
  });
});
