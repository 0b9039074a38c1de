/** Generates the schemas of sections and entries. required.ts defines which arguments are required. */
import type { z } from "zod";
import { entryWords, listWords, overlayPlaces, reuseWords } from "../../../workspace-file/index.js";
import type { Grammar, Placed, Properties } from "./grammar.js";
import { addTypes, createRef, formatTitle, type JsonSchema, listTypes } from "./json-schema.js";
import { allowOverlay, createLeaf, createLeaves, overlayWords } from "./leaf.js";
import { listSnippets } from "./snippets.js";
import { createVariantRules } from "./variants.js";

/** Returns the schemas of the sections below a parent. */
export function createSections(grammar: Grammar, parent: string): Record<string, JsonSchema> {
  return Object.fromEntries(
    grammar.sectionsUnder(parent).map((kind) => [kind.document.section, createSection(grammar, kind)]),
  );
}

function createSection(grammar: Grammar, kind: Placed): JsonSchema {
  const { form, keyedBy, section: name } = kind.document;
  const head = { title: formatTitle(name) };
  if (form === "keys") {
    const keys: JsonSchema = {
      type: ["array", "null"],
      items: createLeaf(kind.args.shape[keyedBy] as z.ZodType, keyedBy, [], "file"),
      examples: [[]],
    };
    const list = grammar.form === "overlay" ? allowOverlay(keys) : keys;
    return { ...head, description: `${kind.description} A list by ${keyedBy}.`, ...list };
  }
  const entry = createRef(buildEntryDefinitionName(grammar, kind));
  if (form === "list") {
    const description = `${kind.description} A list: its order is the order of the ${kind.noun}s.`;
    return { ...head, description, type: ["array", "null"], items: entry };
  }
  return {
    ...head,
    description: `${kind.description} A map by ${keyedBy}.`,
    type: ["object", "null"],
    ...(grammar.form === "overlay" ? { properties: overlayWords } : {}),
    additionalProperties: entry,
  };
}

/** Returns the name of the definition of a kind's entries. */
export function buildEntryDefinitionName(grammar: Grammar, kind: Placed): string {
  return grammar.define(kind.type, () => {
    const children = createSections(grammar, kind.type);
    const own = createProperties(grammar, kind, children);
    const head = { title: formatTitle(kind.type), description: kind.description };
    const snippets = grammar.form === "file" ? { defaultSnippets: listSnippets(kind) } : {};
    if (kind.variants)
      return { ...head, type: "object", ...createVariantRules(grammar, kind, own, children) };
    const entry: JsonSchema = {
      ...head,
      type: kind.document.form === "map" ? ["object", "null"] : "object",
      ...snippets,
      properties: own,
      additionalProperties: false,
      ...(grammar.form === "file" && kind.document.form === "map"
        ? createExternalRule(Object.keys(children))
        : {}),
    };
    return withScalar(kind, entry);
  });
}

/** Forbids arguments of external entries. */
function createExternalRule(children: readonly string[]): JsonSchema {
  return {
    if: { type: "object", required: ["external"] },
    then: {
      properties: Object.fromEntries(["external", ...children].map((name) => [name, true])),
      additionalProperties: false,
    },
  };
}

/** Allows the short form: a plain value for one argument. */
function withScalar({ args, document: { scalar } }: Placed, entry: JsonSchema): JsonSchema {
  if (scalar === undefined) return entry;
  const {
    title: _t,
    description: _d,
    examples,
    ...short
  } = createLeaf(args.shape[scalar] as z.ZodType, scalar, [], "file");
  return {
    ...addTypes(entry, ...listTypes(short)),
    ...Object.fromEntries(Object.entries(short).filter(([key]) => key !== "type")),
    ...(examples && { examples }),
    description: `${entry.description} Short form: a plain value is its \`${scalar}\`.`,
  };
}

function createProperties(grammar: Grammar, kind: Placed, children: Record<string, JsonSchema>): Properties {
  const { external, ...managed } = entryWords;
  const words: Record<string, z.ZodType> = {
    ...(kind.document.form === "list" ? listWords : { external }),
    ...managed,
    ...reuseWords,
  };
  const overlay = grammar.form === "overlay";
  // An entry is applied to its template like an overlay, so its list items may be positioned and removed.
  const isItem = kind.document.form === "list";
  const places: Record<string, z.ZodType> = isItem ? overlayPlaces : {};
  /** Allowed, but suggested in overlays only. */
  const seldom = (schema: JsonSchema): JsonSchema => (overlay ? schema : { ...schema, doNotSuggest: true });
  return withSections(
    {
      ...grammar.args(kind, kind.args.shape),
      ...createLeaves(words, grammar.form),
      ...Object.fromEntries(
        Object.entries(createLeaves(places, "file")).map(([name, one]) => [name, seldom(one)]),
      ),
      ...(overlay ? overlayWords : isItem ? { $remove: seldom({ allOf: [overlayWords["$remove"]!] }) } : {}),
    },
    children,
  );
}

/** Combines sections with arguments of the same name: the argument is a list, and the section a map. */
export function withSections(own: Properties, children: Record<string, JsonSchema>): Properties {
  const merged = Object.entries(children).map(([name, section]): [string, JsonSchema] => {
    const argument = own[name];
    if (typeof argument !== "object") return [name, section];
    return [
      name,
      { ...argument, ...section, type: [...new Set([...listTypes(section), ...listTypes(argument)])] },
    ];
  });
  return { ...own, ...Object.fromEntries(merged) };
}
