/**
 * Defines the required arguments of entries, separately from the allowed ones: where a template, `defaults` or other files may set
 * them, the requirements do not apply.
 */
import type { Grammar, Placed } from "./grammar.js";
import { createRef, type JsonSchema, listTypes } from "./json-schema.js";
import { getRequiredArgs } from "./snippets.js";
import { createOtherRule, has, is, listChoices } from "./variants.js";

/** Returns the requirements of the sections below a parent, if there are any. */
export function findRequirements(grammar: Grammar, parent: string): JsonSchema | undefined {
  const sections = grammar.sectionsUnder(parent).flatMap((kind): [string, JsonSchema][] => {
    const { form, section } = kind.document;
    const name = form === "keys" ? undefined : findRequirement(grammar, kind);
    if (name === undefined) return [];
    const inside = form === "list" ? { items: createRef(name) } : { additionalProperties: createRef(name) };
    return [[section, { doNotSuggest: true, ...inside }]];
  });
  return sections.length === 0 ? undefined : { properties: Object.fromEntries(sections) };
}

function findRequirement(grammar: Grammar, kind: Placed): string | undefined {
  const inside = findRequirements(grammar, kind.type);
  const own = kind.variants ? createVariantRequirements(kind) : findRequired(kind);
  if (own === undefined) return inside && grammar.define(`${kind.type}-required`, () => inside);
  const external = kind.document.form === "map" ? [has("external")] : [];
  const free = [...external, ...listOnlySections(grammar, kind)];
  const needs = { type: listTypes(grammar.defs[kind.type]!).filter((type) => type !== "null"), ...own };
  return grammar.define(`${kind.type}-required`, () => ({
    // A template may set anything, including the contents of sections.
    if: has("template"),
    else: { ...inside, ...(free.length === 0 ? needs : { if: { anyOf: free }, else: needs }) },
  }));
}

/** Matches an entry that only adds sections to the entry of its name in another file. */
function listOnlySections(grammar: Grammar, kind: Placed): JsonSchema[] {
  const sections = grammar.sectionsUnder(kind.type).map(({ document }) => document.section);
  return sections.length === 0
    ? []
    : [{ type: "object", minProperties: 1, propertyNames: { enum: sections } }];
}

function findRequired(kind: Placed): JsonSchema | undefined {
  const names = getRequiredArgs(kind).map(([name]) => name);
  return names.length === 0 ? undefined : { required: names };
}

function createVariantRequirements(kind: Placed): JsonSchema {
  const { keyedBy, form } = kind.document;
  const common = getRequiredArgs(kind).map(([name]) => name);
  const named = common.filter((name) => form !== "list" || name !== keyedBy);
  const { choices, other } = listChoices(kind);
  const more = (variant: Parameters<typeof getRequiredArgs>[1]) =>
    getRequiredArgs(kind, variant)
      .map(([name]) => name)
      .filter((name) => !common.includes(name));
  const rules = choices.flatMap(({ value, by, variants }): JsonSchema[] =>
    variants.map(({ variant, mode }) => {
      const condition: JsonSchema = { allOf: [is(kind.variants!.chosenBy, value)] };
      if (by !== undefined) condition.allOf!.push(mode === undefined ? { not: has(by) } : is(by, mode));
      if (by !== undefined && other) condition.allOf!.push({ not: createOtherRule(kind) });
      return { if: condition, then: { required: more(variant) } };
    }),
  );
  // A choice without a default is required.
  for (const { value, by, variants } of choices)
    if (by !== undefined && variants.every(({ mode }) => mode !== undefined))
      rules.push({
        if: other
          ? { allOf: [is(kind.variants!.chosenBy, value), { not: createOtherRule(kind) }] }
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
