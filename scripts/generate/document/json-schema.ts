/** Part of JSON Schema that the generated files use. */
export interface JsonSchema {
  $ref?: string;
  // Printing omits undefined values.
  title?: string | undefined;
  description?: string | undefined;
  default?: unknown;
  examples?: unknown[] | undefined;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  minItems?: number;
  minProperties?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema | boolean>;
  patternProperties?: Record<string, JsonSchema | true>;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  required?: string[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  /** Descriptions of the values of an enumeration in order, which editors show in hover and completion. */
  enumDescriptions?: string[] | undefined;
  /** Message of editors instead of the pattern. */
  patternErrorMessage?: string;
  /** Prevents editors from suggesting the property here. */
  doNotSuggest?: true;
  /** Snippets that editors offer. */
  defaultSnippets?: Snippet[];
  /** Type that json-schema-to-typescript prints. */
  tsType?: string;
  [other: string]: unknown;
}

export interface Snippet {
  readonly label: string;
  readonly description: string;
  readonly body: unknown;
}

export type Definitions = Record<string, JsonSchema>;

export const createRef = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

export const listTypes = ({ type }: JsonSchema): string[] =>
  type === undefined ? [] : Array.isArray(type) ? type : [type];

/** Returns the schema with further types. */
export function addTypes(schema: JsonSchema, ...types: string[]): JsonSchema {
  const all = [...new Set([...listTypes(schema), ...types])];
  return { ...schema, type: all.length === 1 ? all[0]! : all };
}

/** Converts the schemas of items and properties. */
export function withParts(
  node: JsonSchema,
  item: (schema: JsonSchema) => JsonSchema,
  property: (schema: JsonSchema, name: string) => JsonSchema,
): JsonSchema {
  const changed = { ...node };
  if (node.items) changed.items = item(node.items);
  if (node.properties)
    changed.properties = Object.fromEntries(
      Object.entries(node.properties).map(([name, child]) => [name, property(child as JsonSchema, name)]),
    );
  return changed;
}

/** `httpRepository` → `HTTP repository` */
export function formatTitle(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[ _-]+/)
    .map((word) =>
      /^(url|http|ssh|cli|id|mcp|vt|user name)$/i.test(word) ? word.toUpperCase() : word.toLowerCase(),
    );
  const title = words.join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const PART = /^#\/\$defs\/([^/]+)\/properties\/([^/]+)$/;

/** Gives a definition of its own to each property to which other parts refer, because type generators know no references into properties. */
export function nameSharedParts(schema: JsonSchema): JsonSchema {
  const named = new Map<string, readonly [owner: string, name: string]>();
  const rewrite = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(rewrite);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).map(([key, value]) => {
      const [, owner, name] = key === "$ref" && typeof value === "string" ? (PART.exec(value) ?? []) : [];
      if (owner === undefined || name === undefined) return [key, rewrite(value)];
      named.set(`${owner}_${name}`, [owner, name]);
      return [key, `#/$defs/${owner}_${name}`];
    });
    return Object.fromEntries(entries);
  };
  const whole = rewrite(schema) as JsonSchema & { $defs: Record<string, JsonSchema> };
  for (const [id, [owner, name]] of named) {
    const properties = whole.$defs[owner]?.properties as Record<string, JsonSchema>;
    whole.$defs[id] = properties[name]!;
    properties[name] = createRef(id);
  }
  return whole;
}
