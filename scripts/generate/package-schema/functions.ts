/** The functions of the Pulumi package. Their answers are typed as the published description of the API says. */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { functions } from "../../../provider/discovery/functions/registry.js";
import { namedInCamelCase, type FunctionDefinition } from "../../../provider/discovery/functions/define.js";
import { jsonSchemaOf, pascal, type JsonSchema, type NamedTypes, type PropertySpec } from "./types.js";

interface ObjectSpec {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

export function functionSpecs(
  types: NamedTypes,
  token: (name: string) => string,
): Record<string, FunctionSpec> {
  const published = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
    components: { schemas: Record<string, JsonSchema> };
  };
  const specs = functions.map((definition): [string, FunctionSpec] => {
    const answer = published.components.schemas[definition.answer];
    if (answer === undefined)
      throw new Error(`docs/openapi.json has no ${definition.answer}, which ${definition.name} answers`);
    return [token(definition.name), functionSpec(definition, answer, types)];
  });
  return Object.fromEntries(specs);
}

function functionSpec(definition: FunctionDefinition, answer: JsonSchema, types: NamedTypes): FunctionSpec {
  return {
    description: definition.description,
    inputs: inputsOf(definition, types),
    outputs: definition.isList ? listOf(definition, answer, types) : shown(answer),
  };
}

function inputsOf({ name, args }: FunctionDefinition, types: NamedTypes): ObjectSpec {
  const shape = args.shape as Readonly<Record<string, z.ZodType>>;
  const properties = Object.entries(shape).map(([arg, schema]): [string, PropertySpec] => {
    const { description, secret } = schema.meta() ?? {};
    return [
      arg,
      {
        ...types.of([jsonSchemaOf(schema)], pascal(name), arg),
        ...(description ? { description } : {}),
        ...(secret === true ? { secret } : {}),
      },
    ];
  });
  const required = Object.keys(shape).filter((arg) => !shape[arg]?.safeParse(undefined).success);
  return { type: "object", properties: Object.fromEntries(properties), required: required.sort() };
}

/** The service's objects: their own fields typed, what is in them as it comes. */
function shown({ properties = {}, required = [] }: JsonSchema): ObjectSpec {
  const specs = Object.entries(properties).map(([key, schema]): [string, PropertySpec] => [
    namedInCamelCase(key),
    typeOf(schema),
  ]);
  const isNullable = (key: string) => [properties[key]?.type].flat().includes("null");
  return {
    type: "object",
    properties: Object.fromEntries(specs),
    required: required
      .filter((key) => !isNullable(key))
      .map(namedInCamelCase)
      .sort(),
  };
}

function typeOf({ type, enum: words, description }: JsonSchema): PropertySpec {
  const [only, ...others] = [type ?? []].flat().filter((one) => one !== "null");
  const said = [words?.join(", "), description]
    .filter((text) => text !== undefined && text !== "")
    .join(": ");
  const about = said === "" ? {} : { description: `${said}.` };
  if (only === "array") return { type: only, items: { $ref: "pulumi.json#/Any" }, ...about };
  if (only === "object") return { type: only, additionalProperties: { $ref: "pulumi.json#/Any" }, ...about };
  return only === undefined || others.length > 0
    ? { $ref: "pulumi.json#/Any", ...about }
    : { type: only, ...about };
}

function listOf(
  { name, description }: FunctionDefinition,
  answer: JsonSchema,
  types: NamedTypes,
): ObjectSpec {
  const list = Object.values(answer.properties ?? {}).find(({ type }) => type === "array");
  if (list?.items === undefined) throw new Error(`the answer to ${name} is no list`);
  const item = types.object(`${pascal(name)}Item`, shown(list.items));
  return {
    type: "object",
    properties: { items: { type: "array", items: item, description } },
    required: ["items"],
  };
}
