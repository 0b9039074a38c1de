/** Prints a zod schema as a TypeScript type. Fails for unknown schemas, which must not become types that accept anything. */
import type { z } from "zod";
import { type JsonSchema, toJsonSchema } from "./package-schema/types.js";

export function formatTypeText(schema: z.core.$ZodType): string {
  return print(toJsonSchema(schema), (text) => text);
}

/** Prints a schema as the type of an argument, in which every part may be an output. */
export function inputTypeText(schema: z.core.$ZodType): string {
  return print(toJsonSchema(schema), (text) => (text === "unknown" ? text : `pulumi.Input<${text}>`));
}

/** @param part converts the type of a part of a value */
function print(schema: JsonSchema, part: (text: string) => string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => print(one, part)))].join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => print({ ...schema, type }, part)).join(" | ");
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array": {
      const item = part(print(schema.items ?? {}, part));
      return / /.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case "object": {
      const { additionalProperties } = schema;
      const values = typeof additionalProperties === "object" ? additionalProperties : {};
      if (!schema.properties) return `Readonly<Record<string, ${part(print(values, part))}>>`;
      const required = schema.required ?? [];
      const fields = Object.entries(schema.properties).map(
        ([name, s]) => `${name}${required.includes(name) ? "" : "?"}: ${part(print(s, part))}`,
      );
      return `{ ${fields.join("; ")} }`;
    }
    default:
      return formatUnknown(schema);
  }
}

/** Returns `unknown` for a schema without constraints. */
function formatUnknown(schema: JsonSchema): string {
  const keywords = Object.keys(schema).filter((word) => !ANNOTATIONS.includes(word));
  if (keywords.length === 0) return "unknown";
  throw new Error(`no TypeScript type is known for ${JSON.stringify(schema)}`);
}

const ANNOTATIONS = ["$schema", "description", "title", "examples", "default"];
