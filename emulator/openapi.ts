/** OpenAPI description of the service, generated from its routes. */
import { z } from "zod";
import { actionTypes, commonFields } from "./actions/action-types.js";
import { scopes } from "./enums.js";
import { type Fields, isObject } from "./fields.js";
import type { Route } from "./route.js";

type JsonSchema = { [key: string]: unknown };

/** Path parameters that end in `_id` but are not integers. */
const textIds = new Set(["sandbox_id", "client_id"]);

const errorBody: JsonSchema = {
  type: "object",
  required: ["errors"],
  properties: {
    errors: {
      type: "array",
      minItems: 1,
      items: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
    },
    error: { type: "string", description: "OAuth endpoints: the error code of RFC 6749." },
    error_description: { type: "string" },
  },
};

const createRateHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "integer" },
  required: true,
});

const rateHeaders: JsonSchema = {
  "X-Rate-Limit-Limit": createRateHeader("Requests allowed in the current window."),
  "X-Rate-Limit-Remaining": createRateHeader("Requests left in the window."),
  "X-Rate-Limit-Reset": createRateHeader("Time at which the window ends, UTC epoch seconds."),
};

/** Returns the path in the notation of OpenAPI, and the names of its parameters. */
function openApiPath(path: string): { path: string; names: string[] } {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  return { path: path.replaceAll(/:(\w+)\*?/g, "{$1}"), names };
}

function createPathParameter(name: string): JsonSchema {
  const isInteger = (name.endsWith("_id") && !textIds.has(name)) || name === "number";
  const schema = isInteger
    ? { type: "integer", minimum: 1, maximum: 999_999_999 }
    : { type: "string", minLength: 1 };
  return { name, in: "path", required: true, schema };
}

/** Returns the JSON Schema of an object with these fields. */
function createObjectSchema(fields: Fields): JsonSchema {
  const { type, properties, required } = z.toJSONSchema(z.object(fields), { io: "input" });
  return JSON.parse(JSON.stringify({ type, properties, required }), mergeNull) as JsonSchema;
}

/** Merges the alternative `null` into the list of types, which is a shorter form of the same schema. */
function mergeNull(_key: string, value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value["anyOf"])) return value;
  const { anyOf, ...rest } = value;
  const [schema, other] = anyOf as JsonSchema[];
  if (other?.["type"] !== "null") return value;
  const values = schema?.["enum"] as unknown[] | undefined;
  return { ...schema, ...rest, type: [schema?.["type"], "null"], enum: values && [...values, null] };
}

function queryParameter([name, field]: [string, z.ZodType]): JsonSchema {
  const { properties } = createObjectSchema({ [name]: field }) as { properties: Record<string, JsonSchema> };
  const { description, ...schema } = properties[name] ?? {};
  return { name, in: "query", required: false, description, schema };
}

/** Returns the schema of an action's body, with one alternative per type and variant. */
function createActionBodySchema(required: boolean): JsonSchema {
  return {
    anyOf: actionTypes.map((each) => {
      const variant = each.variant === undefined ? "" : ` (${each.variant.field} ${each.variant.value})`;
      const fields = {
        ...commonFields,
        type: z.enum([each.type]),
        trigger_time: each.triggerTime,
        ...each.fields,
      };
      const { required: names, ...schema } = createObjectSchema(fields);
      return {
        title: `${each.title}: ${each.type}${variant}`,
        ...schema,
        required: required ? names : undefined,
      };
    }),
  };
}

/** Returns the schema of a route's body; that of an action has an alternative for each type. */
export function findBodySchema(route: Route): JsonSchema | undefined {
  if (route.body === undefined) return undefined;
  if (route.openBody === true) return createActionBodySchema(route.method === "POST");
  return createObjectSchema(route.body);
}

function requestBody(route: Route): JsonSchema {
  const schema = findBodySchema(route);
  if (schema === undefined) return {};
  const type = route.form === true ? "application/x-www-form-urlencoded" : "application/json";
  return { requestBody: { required: schema["required"] !== undefined, content: { [type]: { schema } } } };
}

function describeResponses({ response, body }: Route): JsonSchema {
  const { schema } = response;
  const content = schema && {
    "application/json": { schema: { $ref: `#/components/schemas/${schema.name}` } },
  };
  const success = { description: "Done.", headers: rateHeaders, content };
  return {
    [response.status]: success,
    ...(response.otherStatus === undefined ? {} : { [response.otherStatus]: success }),
    415: body && { $ref: "#/components/responses/OtherContentType" },
    "4XX": { $ref: "#/components/responses/Refused" },
  };
}

function describeOperation(route: Route): JsonSchema {
  const { names } = openApiPath(route.path);
  const needs = [
    ...(route.scopes ?? []).map((scope) => `scope ${scope}`),
    ...(route.adminOnly === true ? ["workspace administrator"] : []),
    ...(route.repository === undefined ? [] : [`repository access ${route.repository}`]),
    ...(route.pipelines === undefined ? [] : [`pipeline access ${route.pipelines}`]),
  ];
  const security = route.caller === "open" ? [] : [{ token: [...(route.scopes ?? [])] }, { query: [] }];
  return {
    operationId: buildOperationId(route),
    tags: [route.area],
    summary: route.summary,
    description: needs.length === 0 ? undefined : `Needs ${needs.join(", ")}.`,
    parameters: [...names.map(createPathParameter), ...Object.entries(route.query ?? {}).map(queryParameter)],
    ...requestBody(route),
    responses: describeResponses(route),
    security,
  };
}

function buildOperationId(route: Route): string {
  const parts = route.path
    .split(/[/.]+/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(":") ? `by_${part.slice(1).replace("*", "")}` : part));
  return [route.method.toLowerCase(), ...parts].join("_").replaceAll("-", "_");
}

const describeRefusal = (description: string): JsonSchema => ({
  description,
  headers: rateHeaders,
  content: { "application/json": { schema: errorBody } },
});

/** Generates the OpenAPI 3.1 description of the service from its routes. */
export function openApi(routes: readonly Route[], baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const { path } = openApiPath(route.path);
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route);
    const { schema } = route.response;
    if (schema !== undefined) schemas[schema.name] = createObjectSchema(schema.fields);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Workspace Automation Service",
      version: "1.2.0",
      description: "Generated from the routes of the emulator.",
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas,
      responses: {
        Refused: describeRefusal("Refused; the message says why."),
        OtherContentType: describeRefusal("The body is of another content type than the one described."),
      },
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: `An access token. Scopes: ${scopes.join(", ")}.`,
        },
        query: { type: "apiKey", in: "query", name: "access_token" },
      },
    },
  };
}
