/** One argument: zod → JSON Schema as an editor wants it, with a title, examples, and room for placeholders. */
import { z } from "zod";
import { withDefault } from "../describe.js";
import { alsoOfType, ref, titleOf, typesOf, type JsonSchema } from "./json-schema.js";

/** A text that a placeholder of any kind stands in, or is. */
const ANY_PLACEHOLDER = "\\$\\{";
/** A parameter of a template, alone: it keeps its kind, so it may stand for anything. */
const PARAMETER = "^\\$\\{param:[^}]+\\}$";
/** The same, or a value of the environment or the configuration: a plain one. */
const PLAIN_VALUE = "^\\$\\{(?:param|env|config):[^}]+\\}$";

export type Form =
  /** Workspace files: placeholders are allowed. */
  | "file"
  /** Overlays: also null, and operations on lists. */
  | "overlay"
  /** TypeScript documents: values are there. */
  | "typescript";

/** The JSON Schema of an argument, by the rules above. */
export function leaf(schema: z.ZodType, name: string, examples: readonly unknown[], form: Form): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return shaped(plain as JsonSchema, name, examples, form);
}

function shaped(node: JsonSchema, name: string, given: readonly unknown[], form: Form): JsonSchema {
  const flat = flattened(withoutBounds(node));
  const { title, description, examples, default: initially, ...rest } = flat;
  const shown = examples ?? (given.length > 0 ? [...given] : ownExamples(rest));
  const head = {
    title: title ?? titleOf(name),
    ...(description === undefined ? {} : { description: withDefault(description, initially) }),
    ...(initially === undefined ? {} : { default: initially }),
    ...(shown.length === 0 ? {} : { examples: shown }),
  };
  const body = withChildren(rest, name, form);
  return { ...head, ...(form === "typescript" ? typed(body) : tolerant(withWords(body), head, form)) };
}

/** What may be anything is not printed as a map of anything. */
function typed(body: JsonSchema): JsonSchema {
  return Object.keys(body).length === 0 ? { tsType: "unknown" } : body;
}

/** The values of an enumeration, and the answers to a question, are examples by themselves. */
function ownExamples(node: JsonSchema): unknown[] {
  if (node.const !== undefined) return [node.const];
  if (node.enum) return node.enum.slice(0, 1);
  return typesOf(node).includes("boolean") ? [true] : [];
}

function withChildren(node: JsonSchema, name: string, form: Form): JsonSchema {
  const inner = form === "overlay" ? "file" : form;
  const children: JsonSchema = { ...node };
  if (node.items) children.items = shaped(node.items, singular(name), [], inner);
  if (node.properties) {
    children.properties = Object.fromEntries(
      Object.entries(node.properties).map(([key, child]) => [
        key,
        shaped(child as JsonSchema, key, [], inner),
      ]),
    );
  }
  return children;
}

/** Descriptions of an enumeration's values, from a map to a list beside the values; a constant is one value. */
function withWords(node: JsonSchema): JsonSchema {
  const { const: only, enumDescriptions, ...rest } = node;
  const values = typeof only === "string" ? [only] : node.enum;
  if (values === undefined) return node;
  const words = enumDescriptions as unknown as Record<string, string> | undefined;
  return {
    ...rest,
    enum: values,
    ...(words === undefined ? {} : { enumDescriptions: values.map((v) => words[String(v)] ?? "") }),
  };
}

function tolerant(node: JsonSchema, head: JsonSchema, form: Form): JsonSchema {
  const types = [...typesOf(node)];
  if (node.const !== undefined || (types.length === 0 && !node.enum)) return node;
  if (node.enum) {
    // Description and values together: an editor shows what stands in the alternative it offers from.
    const { description } = head;
    const named = { ...(description === undefined ? {} : { description }), ...node };
    const placeholder: JsonSchema = { type: "string", pattern: ANY_PLACEHOLDER };
    return { anyOf: [named, placeholder, ...(form === "overlay" ? [takenOut] : [])] };
  }
  const text = types.includes("string");
  const pattern = text
    ? node.pattern && { pattern: `(?:${node.pattern})|${ANY_PLACEHOLDER}` }
    : {
        // What the environment and the configuration say is read as the kind of value that belongs there.
        pattern: types.some((type) => type === "array" || type === "object") ? PARAMETER : PLAIN_VALUE,
        patternErrorMessage: `Expected ${types.map((type) => words[type] ?? type).join(" or ")}.`,
      };
  const open = { ...alsoOfType(node, "string"), ...pattern };
  return form === "overlay" ? overlaid(open) : open;
}

const words: Readonly<Record<string, string>> = {
  array: "a list",
  object: "a map",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

/** Words that a map of an overlay may have; each is said once, since every argument may be taken out. */
export const overlayWords: Record<string, JsonSchema> = { $remove: ref("remove"), $replace: ref("replace") };
export const overlayDefinitions: Record<string, JsonSchema> = {
  remove: {
    title: "Remove",
    description: "Takes this out of the workspace file. It has to be there.",
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

/** `null`, or `{ $remove: true }`. */
const takenOut: JsonSchema = {
  type: ["null", "object"],
  properties: { $remove: overlayWords["$remove"]! },
  additionalProperties: false,
};

/** An argument in an overlay: it may be null or taken out, and a list be added to and taken from. */
export function overlaid(node: JsonSchema): JsonSchema {
  const wider = alsoOfType(node, "null", "object");
  if (typesOf(node).includes("array")) return { ...wider, ...operations(node) };
  if (typesOf(node).includes("object"))
    return { ...wider, properties: { ...node.properties, ...overlayWords } };
  return { ...wider, ...takenOut, type: wider.type! };
}

function operations(list: JsonSchema): JsonSchema {
  const operation = (title: string, description: string): JsonSchema => ({
    title,
    description,
    type: "array",
    ...(list.items === undefined ? {} : { items: list.items }),
    examples: list.examples ?? [],
  });
  return {
    properties: {
      $add: operation("Add", "Items that are added to the list of the workspace file."),
      $remove: {
        ...operation("Remove", "Items that are taken out of the list; or true, to take out the whole list."),
        type: ["array", "boolean"],
      },
    },
    additionalProperties: false,
  };
}

/** Alternatives of different types become one schema of several types: keywords only concern values of their own type. */
function flattened(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  if (anyOf === undefined) return withoutFormat(node);
  const alternatives = anyOf.map(flattened);
  const types = alternatives.flatMap(typesOf);
  const mixed = alternatives.some((a) => a.enum !== undefined || a.const !== undefined);
  if (mixed || new Set(types).size !== types.length) return { ...rest, anyOf: alternatives };
  return { ...Object.assign({}, ...alternatives), ...rest, type: types } as JsonSchema;
}

/** Formats cannot be told to let a placeholder pass, and say no more than the pattern beside them. */
function withoutFormat({ format: _format, contentEncoding: _encoding, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

/** Whole numbers carry JavaScript's limits, which tell an editor's user nothing. */
function withoutBounds(node: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(node), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const kept = { ...(value as Record<string, unknown>) };
    for (const bound of ["minimum", "maximum"])
      if (Math.abs(Number(kept[bound])) === Number.MAX_SAFE_INTEGER) Reflect.deleteProperty(kept, bound);
    return kept;
  }) as JsonSchema;
}

const singular = (name: string) => name.replace(/ies$/, "y").replace(/s$/, "");
