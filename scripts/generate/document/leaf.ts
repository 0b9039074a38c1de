/** Converts an argument from zod to JSON Schema for editors: with a title and examples, and allowing placeholders. */
import { z } from "zod";
import { withDefault } from "../describe.js";
import { addTypes, createRef, formatTitle, type JsonSchema, listTypes, withParts } from "./json-schema.js";

/** Text with a placeholder of any kind. */
const ANY_PLACEHOLDER = "\\$\\{";
export const placeholder: JsonSchema = { type: "string", pattern: ANY_PLACEHOLDER };
/** Parameter of a template as the whole value, which may be of any type. */
const PARAMETER = "^\\$\\{param:[^}]+\\}$";
/** The same, or a value of the environment or the configuration, which is a scalar. */
const PLAIN_VALUE = "^\\$\\{(?:param|env|config):[^}]+\\}$";

export type Form =
  /** Workspace files, which allow placeholders. */
  | "file"
  /** Overlays, which also allow null and operations on lists. */
  | "overlay"
  /** TypeScript documents, which contain values only. */
  | "typescript";

/** Returns the JSON Schema of an argument. */
export function createLeaf(
  schema: z.ZodType,
  name: string,
  examples: readonly unknown[],
  form: Form,
): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => withoutNoise(jsonSchema),
  });
  return shapeLeaf(plain as JsonSchema, name, examples, form);
}

/** Returns the JSON Schemas of several arguments, by name. */
export function createLeaves(
  schemas: Readonly<Record<string, z.ZodType>>,
  form: Form,
  examples: Readonly<Record<string, readonly unknown[]>> = {},
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      createLeaf(schema, name, examples[name] ?? [], form),
    ]),
  );
}

function shapeLeaf(node: JsonSchema, name: string, given: readonly unknown[], form: Form): JsonSchema {
  const flat = flattenNode(node);
  const { title, description, examples, default: initially, ...rest } = flat;
  const shown = examples ?? (given.length > 0 ? [...given] : listOwnExamples(rest));
  const head = {
    title: title ?? formatTitle(name),
    description: description && withDefault(description, initially),
    default: initially,
    examples: shown.length === 0 ? undefined : shown,
  };
  const body = withChildren(rest, name, form);
  return { ...head, ...(form === "typescript" ? typeBody(body) : makeTolerant(withWords(body), head, form)) };
}

/** Types a value of any type as `unknown` instead of a map. */
function typeBody(body: JsonSchema): JsonSchema {
  return Object.keys(body).length === 0 ? { tsType: "unknown" } : body;
}

/** Returns examples of enumerations and booleans. */
function listOwnExamples(node: JsonSchema): unknown[] {
  if (node.const !== undefined) return [node.const];
  if (node.enum) return node.enum.slice(0, 1);
  return listTypes(node).includes("boolean") ? [true] : [];
}

function withChildren(node: JsonSchema, name: string, form: Form): JsonSchema {
  const inner = form === "overlay" ? "file" : form;
  return withParts(
    node,
    (item) => shapeLeaf(item, toSingular(name), [], inner),
    (child, key) => shapeLeaf(child, key, [], inner),
  );
}

/** Converts the descriptions of enumeration values from a map to a list. A constant is an enumeration of one value. */
function withWords(node: JsonSchema): JsonSchema {
  const { const: only, enumDescriptions, ...rest } = node;
  const values = typeof only === "string" ? [only] : node.enum;
  if (values === undefined) return node;
  const words = enumDescriptions as unknown as Record<string, string> | undefined;
  return {
    ...rest,
    enum: values,
    enumDescriptions: words && values.map((v) => words[String(v)] ?? ""),
  };
}

function makeTolerant(node: JsonSchema, head: JsonSchema, form: Form): JsonSchema {
  const types = [...listTypes(node)];
  if (node.const !== undefined || (types.length === 0 && !node.enum)) return node;
  if (node.enum) {
    // Repeats the description, because editors show that of the alternative.
    const named = { description: head.description, ...node };
    return { anyOf: [named, placeholder, ...(form === "overlay" ? [takenOut] : [])] };
  }
  const text = types.includes("string");
  const pattern = text
    ? node.pattern && { pattern: `(?:${node.pattern})|${ANY_PLACEHOLDER}` }
    : {
        // Values of the environment and the configuration are converted to the expected type.
        pattern: types.some((type) => type === "array" || type === "object") ? PARAMETER : PLAIN_VALUE,
        patternErrorMessage: `Expected ${types.map((type) => words[type] ?? type).join(" or ")}.`,
      };
  const open = { ...addTypes(node, "string"), ...pattern };
  return form === "overlay" ? allowOverlay(open) : open;
}

const words: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a map",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

/** Keywords of maps in overlays, by reference because every argument may be removed. */
export const overlayWords: Record<string, JsonSchema> = {
  $remove: createRef("remove"),
  $replace: createRef("replace"),
};
export const overlayDefinitions: Record<string, JsonSchema> = {
  remove: {
    title: "Remove",
    description: "Removes this from the workspace file, where it must exist.",
    const: true,
    examples: [true],
  },
  replace: {
    title: "Replace",
    description: "This map replaces the one of the workspace file instead of being merged into it.",
    const: true,
    examples: [true],
  },
};

/** Schema of `null` and `{ $remove: true }`. */
const takenOut: JsonSchema = {
  type: ["null", "object"],
  properties: { $remove: overlayWords["$remove"]! },
  additionalProperties: false,
};

/** Returns the schema of an argument in an overlay, which may be null or removed. Lists allow adding and removing items. */
export function allowOverlay(node: JsonSchema): JsonSchema {
  const wider = addTypes(node, "null", "object");
  if (listTypes(node).includes("array")) return { ...wider, ...createOperations(node) };
  if (listTypes(node).includes("object"))
    return { ...wider, properties: { ...node.properties, ...overlayWords } };
  return { ...wider, ...takenOut, type: wider.type! };
}

function createOperations(list: JsonSchema): JsonSchema {
  const operation = (title: string, description: string): JsonSchema => ({
    title,
    description,
    type: "array",
    ...(list.items && { items: list.items }),
    examples: list.examples ?? [],
  });
  return {
    properties: {
      $add: operation("Add", "Items that are added to the list of the workspace file."),
      $remove: {
        ...operation("Remove", "Items to remove from the list; or true, to remove the whole list."),
        type: ["array", "boolean"],
      },
    },
    additionalProperties: false,
  };
}

/** Merges alternatives of different types into one schema, since keywords only apply to values of their type. */
function flattenNode(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  if (anyOf === undefined) return node;
  const alternatives = anyOf.map(flattenNode);
  const types = alternatives.flatMap(listTypes);
  const mixed = alternatives.some((a) => a.enum !== undefined || a.const !== undefined);
  if (mixed || new Set(types).size !== types.length) return { ...rest, anyOf: alternatives };
  return { ...Object.assign({}, ...alternatives), ...rest, type: types } as JsonSchema;
}

/** Removes JavaScript's limits of integers, and formats, which do not allow placeholders and add nothing to the pattern. */
function withoutNoise(node: z.core.JSONSchema.BaseSchema): void {
  for (const bound of ["minimum", "maximum"] as const)
    if (Math.abs(Number(node[bound])) === Number.MAX_SAFE_INTEGER) delete node[bound];
  delete node.format;
  delete node.contentEncoding;
}

const toSingular = (name: string) => name.replace(/ies$/, "y").replace(/s$/, "");
