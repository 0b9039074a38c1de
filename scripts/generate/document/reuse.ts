/** Generates the schemas of `include`, `templates` and `defaults`. */
import type { z } from "zod";
import type { entryWords } from "../../../workspace-file/index.js";
import { documentReuse, parameterSchema, templateSchema } from "../../../workspace-file/index.js";
import { buildEntryDefinitionName } from "./entries.js";
import type { Grammar, Placed, Properties } from "./grammar.js";
import { createRef, formatTitle, type JsonSchema } from "./json-schema.js";
import { createLeaf, createLeaves, overlayWords } from "./leaf.js";
import { buildDefinitionName, is } from "./variants.js";

export function createReuseSchemas(grammar: Grammar): Record<string, JsonSchema> {
  return {
    // Overlays have no includes: several can be named on the command line.
    ...(grammar.form === "overlay"
      ? {}
      : { include: createLeaf(documentReuse.include, "include", [], "file") }),
    templates: map(grammar, documentReuse.templates, "templates", createRef(createTemplate(grammar))),
    defaults: {
      ...describeSchema(documentReuse.defaults, "defaults"),
      type: ["object", "null"],
      properties: Object.fromEntries(grammar.kinds.map((kind) => [kind.type, createDefaults(grammar, kind)])),
      additionalProperties: false,
    },
  };
}

const samples: Readonly<Record<string, readonly unknown[]>> = {
  type: ["Pipeline"],
  description: ["Builds and tests a service."],
  parameters: [{ service: { description: "Name of the service" } }],
  default: ["22"],
  enum: [["20", "22"]],
  entry: [{ triggerMode: "ON_EVERY_PUSH" }],
  entries: [[{ name: "Tell", type: "CHAT" }]],
};

function map(grammar: Grammar, schema: z.ZodType, name: string, entry: JsonSchema): JsonSchema {
  return {
    ...describeSchema(schema, name),
    type: ["object", "null"],
    ...(grammar.form === "overlay" ? { properties: overlayWords } : {}),
    additionalProperties: entry,
  };
}

function describeSchema(schema: z.ZodType, name: string): JsonSchema {
  const { title, description, examples } = createLeaf(schema, name, samples[name] ?? [], "typescript");
  return { title: title ?? formatTitle(name), description, examples };
}

function createTemplate(grammar: Grammar): string {
  return grammar.define("Template", () => {
    const overlay = grammar.form === "overlay";
    const parameter: JsonSchema = {
      examples: [{ default: "22" }],
      title: "Parameter",
      description: "A parameter of the template.",
      type: ["object", "null"],
      properties: createLeaves(parameterSchema.shape, grammar.form, samples),
      additionalProperties: false,
    };
    const { type: _type, parameters: _parameters, entry, entries, ...words } = templateSchema.shape;
    const rules = grammar.kinds.map((kind): JsonSchema => {
      const body = createRef(buildEntryDefinitionName(grammar, kind));
      const several: JsonSchema | false =
        kind.document.form === "list" ? { items: body, doNotSuggest: true } : false;
      return { if: is("type", kind.type), then: { properties: { entry: body, entries: several } } };
    });
    const neither: JsonSchema = { not: { anyOf: [{ required: ["entry"] }, { required: ["entries"] }] } };
    return {
      title: "Template",
      description: "An entry, or several items of a list, with parameters.",
      type: overlay ? ["object", "null"] : "object",
      properties: {
        type: {
          ...describeSchema(templateSchema.shape.type, "type"),
          enum: grammar.kinds.map(({ type }) => type),
          enumDescriptions: grammar.kinds.map(({ description }) => description),
        },
        ...createLeaves(words, grammar.form, samples),
        parameters: map(grammar, templateSchema.shape.parameters, "parameters", parameter),
        entry: describeSchema(entry, "entry"),
        entries: { ...describeSchema(entries, "entries"), type: "array" },
        ...(overlay ? overlayWords : {}),
      },
      additionalProperties: false,
      ...(overlay ? {} : { required: ["type"], if: neither, then: { required: ["entry"] } }),
      allOf: rules,
    };
  });
}

/** Keywords of an entry that may have a default. */
const defaultWords = ["retain", "protect", "ignoreChanges"] satisfies (keyof typeof entryWords)[];

/** Returns the schema of the defaults of a kind: arguments of all its variants, and sections, but not its name. */
function createDefaults(grammar: Grammar, kind: Placed): JsonSchema {
  const name = buildEntryDefinitionName(grammar, kind);
  const own = [
    ...Object.keys(grammar.args(kind, kind.args.shape)).filter((arg) => arg !== kind.document.keyedBy),
    ...grammar.sectionsUnder(kind.type).map(({ document }) => document.section),
    ...defaultWords,
  ];
  const any = grammar.defs[buildDefinitionName(kind.type, "of any type")]?.properties;
  const properties: Properties = {};
  for (const arg of own)
    if (any?.[arg] === undefined || any[arg] === true)
      properties[arg] = createRef(`${name}/properties/${arg}`);
  const variants = new Set(Object.values(kind.variants?.of ?? {}).flatMap(({ args }) => Object.keys(args)));
  for (const arg of variants) properties[arg] ??= any?.[arg] ?? true;
  return {
    title: formatTitle(kind.type),
    description: `Default arguments for every ${kind.noun}. Its own arguments override them.`,
    examples: [{}],
    type: ["object", "null"],
    properties: { ...properties, ...(grammar.form === "overlay" ? overlayWords : {}) },
    additionalProperties: false,
  };
}
