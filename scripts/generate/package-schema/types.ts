/** Converts zod schemas to types of a Pulumi package. Enumerations and objects become named types. */
import { z } from "zod";
import { isSameJson } from "../../../diff/values.js";

export const NAME = "workspace-automation";
export const buildToken = (name: string) => `${NAME}:index:${name}`;

/** Type of a property. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

export interface PropertySpec extends TypeSpec {
  // Printing omits undefined values.
  readonly description?: string | undefined;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
}

interface EnumValue {
  readonly name: string;
  readonly value: string;
  readonly description?: string | undefined;
}

/** Named type of the package. */
export interface NamedType {
  readonly description?: string | undefined;
  readonly type: string;
  readonly enum?: readonly EnumValue[];
  readonly properties?: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

/** The properties of a resource, or of a function's inputs and outputs. */
export interface ObjectSpec extends Omit<Required<NamedType>, "description" | "enum"> {
  readonly type: "object";
  readonly description?: string;
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly description?: string;
  /** Descriptions of the enumeration's values. */
  readonly enumDescriptions?: Readonly<Record<string, string>>;
}

export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

export function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** Collects the named types of a package. */
export class NamedTypes {
  readonly types: Record<string, NamedType> = {};
  private readonly enumerations = new Map<string, Set<string>>();

  /** @param ambiguous short names of several enumerations, which get the name of their owner as a prefix */
  constructor(private readonly ambiguous: ReadonlySet<string> = new Set()) {}

  /** Returns the short names that several enumerations share. */
  ambiguities(): Set<string> {
    return new Set([...this.enumerations].filter(([, specs]) => specs.size > 1).map(([name]) => name));
  }

  /**
   * Returns the type of a property that may have any of these schemas.
   * @param owner type that has the property. Named types are called after both
   */
  of(schemas: readonly JsonSchema[], owner: string, property: string): TypeSpec {
    const all = schemas.flatMap(listAlternatives).filter(({ type }) => type !== "null");
    const enumerations = all.filter((schema) => listValues(schema).length > 0);
    const lists = all.filter(({ type }) => type === "array");
    const others = all.filter((schema) => !enumerations.includes(schema) && !lists.includes(schema));
    const items = lists.map((list) => list.items ?? {});
    const specs: TypeSpec[] = [
      ...others.map((schema) => this.single(schema, owner, property)),
      ...(lists.length > 0 ? [{ type: "array", items: this.of(items, owner, property) }] : []),
      ...(enumerations.length > 0 ? [this.enumeration(enumerations, owner, property)] : []),
    ];
    const unique = [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
    const [only, second] = unique;
    if (only === undefined || unique.some((spec) => spec === ANY)) return ANY;
    return second === undefined ? only : { oneOf: unique };
  }

  private single(schema: JsonSchema, owner: string, property: string): TypeSpec {
    if (schema.type !== "object") return createPlainType(schema);
    return schema.properties === undefined ? createMapType(schema) : this.itemType(schema, owner, property);
  }

  private itemType(schema: JsonSchema, owner: string, property: string): TypeSpec {
    const name = `${owner}${toPascalCase(property)}Item`;
    const properties = Object.entries(schema.properties ?? {}).map(([inner, of]): [string, PropertySpec] => [
      inner,
      { ...this.of([of], name, inner), description: of.description },
    ]);
    return this.named(name, {
      type: "object",
      description: schema.description,
      properties: Object.fromEntries(properties),
      ...(schema.required ? { required: [...schema.required].sort() } : {}),
    });
  }

  private enumeration(schemas: readonly JsonSchema[], owner: string, property: string): TypeSpec {
    const descriptions = new Map<string, string | undefined>();
    for (const schema of schemas)
      for (const value of listValues(schema))
        descriptions.set(value, descriptions.get(value) ?? schema.enumDescriptions?.[value]);
    const values = [...descriptions].map(([value, description]) => ({
      name: toEnumName(value),
      value,
      description,
    }));
    const spec: NamedType = { type: "string", enum: values };
    const short = toPascalCase(property);
    const known = this.enumerations.get(short) ?? new Set();
    this.enumerations.set(short, known.add(JSON.stringify(spec)));
    // A name of one word, such as "type", is too general. A first pass finds the ambiguous names.
    const isShort = /[a-z][A-Z]/.test(property) && known.size === 1 && !this.ambiguous.has(short);
    return this.named(isShort ? short : `${owner}${short}`, spec);
  }

  /**
   * Adds a named type.
   * @throws {Error} when two different types have the same name
   */
  named(name: string, spec: NamedType): TypeSpec {
    const key = buildToken(name);
    const known = this.types[key];
    if (known !== undefined && !isSameJson(known, spec))
      throw new Error(`two types of the package have the name ${key}: rename one of the properties`);
    this.types[key] = spec;
    return { $ref: `#/types/${key}` };
  }
}

function listAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(listAlternatives);
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => ({ ...schema, type }));
  return [schema];
}

function listValues({ enum: values, const: only }: JsonSchema): string[] {
  return [...(values ?? []), only].filter((value): value is string => typeof value === "string");
}

function createPlainType({ type }: JsonSchema): TypeSpec {
  const plain = ["string", "integer", "number", "boolean"].find((one) => one === type);
  return plain === undefined ? ANY : { type: plain };
}

function createMapType({ additionalProperties: of }: JsonSchema): TypeSpec {
  return { type: "object", additionalProperties: typeof of === "object" ? createPlainType(of) : ANY };
}

/** `ON_EVERY_PUSH` → `OnEveryPush`. Each code generator converts this to the convention of its language. */
function toEnumName(value: string): string {
  return toPascalCase(/[a-z]/.test(value) ? value : value.toLowerCase());
}

/** `triggerMode` → `TriggerMode` */
export function toPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
