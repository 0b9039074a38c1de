/**
 * Defines the required arguments of entries, separately from the allowed ones: where a template, `defaults` or other files may set
 * them, the requirements do not apply.
 */
import { ref, typesOf, type JsonSchema } from "./json-schema.js";
import type { Grammar, Placed } from "./grammar.js";
import { requiredArgs } from "./snippets.js";
import { choicesOf, has, is, opensOther } from "./variants.js";

/** Returns the requirements of the sections below a parent, if there are any. */
export function requirements(grammar: Grammar, parent: string): JsonSchema | undefined {
  const sections = grammar.sectionsUnder(parent).flatMap((kind): [string, JsonSchema][] => {
    const { form, section } = kind.document;
    const name = form === "keys" ? undefined : requirementOf(grammar, kind);
    if (name === undefined) return [];
    const inside = form === "list" ? { items: ref(name) } : { additionalProperties: ref(name) };
    return [[section, { doNotSuggest: true, ...inside }]];
  });
  return sections.length === 0 ? undefined : { properties: Object.fromEntries(sections) };
}

function requirementOf(grammar: Grammar, kind: Placed): string | undefined {
  const inside = requirements(grammar, kind.type);
  const own = kind.variants ? variantRequirements(kind) : requiredOf(kind);
  if (own === undefined) return inside && grammar.define(`${kind.type}-required`, () => inside);
  const external = kind.document.form === "map" ? [has("external")] : [];
  const free = [...external, ...onlySections(grammar, kind)];
  const needs = { type: typesOf(grammar.defs[kind.type]!).filter((type) => type !== "null"), ...own };
  return grammar.define(`${kind.type}-required`, () => ({
    // A template may set anything, including the contents of sections.
    if: has("template"),
    else: { ...inside, ...(free.length === 0 ? needs : { if: { anyOf: free }, else: needs }) },
  }));
}

/** Matches an entry that only adds sections to the entry of its name in another file. */
function onlySections(grammar: Grammar, kind: Placed): JsonSchema[] {
  const sections = grammar.sectionsUnder(kind.type).map(({ document }) => document.section);
  return sections.length === 0
    ? []
    : [{ type: "object", minProperties: 1, propertyNames: { enum: sections } }];
}

function requiredOf(kind: Placed): JsonSchema | undefined {
  const names = requiredArgs(kind).map(([name]) => name);
  return names.length === 0 ? undefined : { required: names };
}

function variantRequirements(kind: Placed): JsonSchema {
  const { keyedBy, form } = kind.document;
  const common = requiredArgs(kind).map(([name]) => name);
  const named = common.filter((name) => form !== "list" || name !== keyedBy);
  const { choices, other } = choicesOf(kind);
  const more = (variant: Parameters<typeof requiredArgs>[1]) =>
    requiredArgs(kind, variant)
      .map(([name]) => name)
      .filter((name) => !common.includes(name));
  const rules = choices.flatMap(({ value, by, variants }): JsonSchema[] =>
    variants.map(({ variant, mode }) => {
      const condition: JsonSchema = { allOf: [is(kind.variants!.chosenBy, value)] };
      if (by !== undefined) condition.allOf!.push(mode === undefined ? { not: has(by) } : is(by, mode));
      if (by !== undefined && other) condition.allOf!.push({ not: opensOther(kind) });
      return { if: condition, then: { required: more(variant) } };
    }),
  );
  // A choice without a default is required.
  for (const { value, by, variants } of choices)
    if (by !== undefined && variants.every(({ mode }) => mode !== undefined))
      rules.push({
        if: other
          ? { allOf: [is(kind.variants!.chosenBy, value), { not: opensOther(kind) }] }
          : is(kind.variants!.chosenBy, value),
        then: { required: [by] },
      });
  if (other) {
    const known = choices.map(({ value }) => value);
    rules.push({
      if: {
        properties: { [kind.variants!.chosenBy]: { not: { enum: known } } },
        required: [kind.variants!.chosenBy],
      },
      then: { required: more(other[1]) },
    });
  }
  if (form === "list") rules.push({ if: { not: has("key") }, then: { required: [keyedBy] } });
  return { required: named, allOf: rules };
}
