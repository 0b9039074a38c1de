/** Generates the functions of the Pulumi package. The OpenAPI description of the emulator defines the types of their results. */
import type { z } from "zod";
import { type FunctionDefinition, getCamelCaseName } from "../../../provider/discovery/functions/define.js";
import { functions } from "../../../provider/discovery/functions/read-functions.js";
import { isOptional } from "../describe.js";
import { openApiDescription } from "../openapi.js";
import {
  ANY,
  buildToken,
  type JsonSchema,
  type NamedTypes,
  type ObjectSpec,
  type PropertySpec,
  toJsonSchema,
  toPascalCase,
} from "./types.js";

interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

export function createFunctionSpecs(types: NamedTypes): Record<string, FunctionSpec> {
  const published = openApiDescription as {
    components: { schemas: Record<string, JsonSchema> };
  };
  const specs = Object.entries<FunctionDefinition>(functions).map(
    ([name, definition]): [string, FunctionSpec] => {
      const { description, response, isList } = definition;
      const schema = published.components.schemas[response];
      if (schema === undefined)
        throw new Error(`the OpenAPI description has no ${response}, the response of ${name}`);
      const outputs = isList ? createListType(name, description, schema, types) : createObject(schema);
      return [buildToken(name), { description, inputs: createInputs(name, definition, types), outputs }];
    },
  );
  return Object.fromEntries(specs);
}

function createInputs(name: string, { args }: FunctionDefinition, types: NamedTypes): ObjectSpec {
  const shape = args.shape as Readonly<Record<string, z.ZodType>>;
  const properties = Object.entries(shape).map(([arg, schema]): [string, PropertySpec] => {
    const { description, secret } = schema.meta() ?? {};
    return [
      arg,
      {
        ...types.of([toJsonSchema(schema)], toPascalCase(name), arg),
        description,
        ...(secret === true ? { secret } : {}),
      },
    ];
  });
  const required = Object.keys(shape).filter((arg) => !isOptional(shape[arg]));
  return { type: "object", properties: Object.fromEntries(properties), required: required.sort() };
}

/** Converts an object of the service. Its own fields have types. Nested objects are passed on unchanged. */
function createObject({ properties = {}, required = [] }: JsonSchema): ObjectSpec {
  const specs = Object.entries(properties).map(([key, schema]): [string, PropertySpec] => [
    getCamelCaseName(key),
    createType(schema),
  ]);
  const isNullable = (key: string) => [properties[key]?.type].flat().includes("null");
  return {
    type: "object",
    properties: Object.fromEntries(specs),
    required: required
      .filter((key) => !isNullable(key))
      .map(getCamelCaseName)
      .sort(),
  };
}

function createType({ type, enum: values, description }: JsonSchema): PropertySpec {
  const [only, ...others] = [type ?? []].flat().filter((one) => one !== "null");
  const text = [values?.join(", "), description]
    .filter((part) => part !== undefined && part !== "")
    .join(": ");
  const described = text === "" ? {} : { description: `${text}.` };
  if (only === "array") return { type: only, items: ANY, ...described };
  if (only === "object") return { type: only, additionalProperties: ANY, ...described };
  return only === undefined || others.length > 0 ? { ...ANY, ...described } : { type: only, ...described };
}

function createListType(
  name: string,
  description: string,
  response: JsonSchema,
  types: NamedTypes,
): ObjectSpec {
  const list = Object.values(response.properties ?? {}).find(({ type }) => type === "array");
  if (list?.items === undefined) throw new Error(`the response of ${name} is not a list`);
  const item = types.named(`${toPascalCase(name)}Item`, createObject(list.items));
  return {
    type: "object",
    properties: { items: { type: "array", items: item, description } },
    required: ["items"],
  };
}
