import { actionTypes, commonFields } from "./actions/registry.js";
import type { Field } from "./fields.js";
import { fieldSchema, objectSchema, type JsonSchema } from "./json-schema.js";
import type { Route } from "./route.js";
import { scopes } from "./scopes.js";

/** Path parameters that are not integers although their name ends in `_id`. */
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

const rateHeader = (description: string): JsonSchema => ({
  description,
  schema: { type: "integer" },
  required: true,
});

const rateHeaders: JsonSchema = {
  "X-Rate-Limit-Limit": rateHeader("Requests allowed in the current window."),
  "X-Rate-Limit-Remaining": rateHeader("Requests left in the window."),
  "X-Rate-Limit-Reset": rateHeader("Time at which the window ends, UTC epoch seconds."),
};

/** The path as OpenAPI writes it, and the names of its parameters. */
export function openApiPath(path: string): { path: string; names: string[] } {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  return { path: path.replaceAll(/:(\w+)\*?/g, "{$1}"), names };
}

function pathParameter(name: string): JsonSchema {
  const isInteger = (name.endsWith("_id") && !textIds.has(name)) || name === "number";
  const schema = isInteger
    ? { type: "integer", minimum: 1, maximum: 999_999_999 }
    : { type: "string", minLength: 1 };
  return { name, in: "path", required: true, schema };
}

function queryParameter([name, field]: [string, Field]): JsonSchema {
  const { description, ...schema } = fieldSchema({ ...field, required: true }, true);
  return {
    name,
    in: "query",
    required: false,
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

/** The body of POST .../actions: one alternative per type and variant. */
function actionBody(required: boolean): JsonSchema {
  return {
    anyOf: actionTypes.map((each) => {
      const variant = each.variant === undefined ? "" : ` (${each.variant.field} ${each.variant.value})`;
      const fields = {
        ...commonFields,
        type: { type: "string", required: true, values: [each.type] },
        trigger_time: { type: "string", required: true, values: each.triggerTimes },
        ...each.fields,
      } as const;
      const { required: names, ...schema } = objectSchema(fields, true);
      return {
        title: `${each.title}: ${each.type}${variant}`,
        ...schema,
        ...(required ? { required: names } : {}),
      };
    }),
  };
}

function bodySchema(route: Route): JsonSchema | undefined {
  if (route.body === undefined) return undefined;
  if (route.openBody === true) return actionBody(route.method === "POST");
  // A form has no null.
  const fields = Object.entries(route.body).map(
    ([name, field]) => [name, { ...field, notNull: true }] as const,
  );
  return objectSchema(route.form === true ? Object.fromEntries(fields) : route.body, true);
}

function requestBody(route: Route): JsonSchema {
  const schema = bodySchema(route);
  if (schema === undefined) return {};
  const type = route.form === true ? "application/x-www-form-urlencoded" : "application/json";
  return { requestBody: { required: schema["required"] !== undefined, content: { [type]: { schema } } } };
}

function responses({ answer, body }: Route): JsonSchema {
  const success =
    answer.view === undefined
      ? { description: "Done.", headers: rateHeaders }
      : {
          description: "Done.",
          headers: rateHeaders,
          content: { "application/json": { schema: { $ref: `#/components/schemas/${answer.view.name}` } } },
        };
  return {
    [answer.status]: success,
    ...(answer.otherStatus === undefined ? {} : { [answer.otherStatus]: success }),
    ...(body === undefined ? {} : { 415: { $ref: "#/components/responses/OtherContentType" } }),
    "4XX": { $ref: "#/components/responses/Refused" },
  };
}

function operation(route: Route): JsonSchema {
  const { names } = openApiPath(route.path);
  const needs = [
    ...(route.scopes ?? []).map((scope) => `scope ${scope}`),
    ...(route.adminOnly === true ? ["workspace administrator"] : []),
    ...(route.repository === undefined ? [] : [`repository access ${route.repository}`]),
    ...(route.pipelines === undefined ? [] : [`pipeline access ${route.pipelines}`]),
  ];
  const security = route.caller === "open" ? [] : [{ token: [...(route.scopes ?? [])] }, { query: [] }];
  return {
    operationId: operationId(route),
    tags: [route.area],
    summary: route.summary,
    ...(needs.length === 0 ? {} : { description: `Needs ${needs.join(", ")}.` }),
    parameters: [...names.map(pathParameter), ...Object.entries(route.query ?? {}).map(queryParameter)],
    ...requestBody(route),
    responses: responses(route),
    security,
  };
}

function operationId(route: Route): string {
  const words = route.path
    .split(/[/.]+/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(":") ? `by_${part.slice(1).replace("*", "")}` : part));
  return [route.method.toLowerCase(), ...words].join("_").replaceAll("-", "_");
}

const refused = (description: string): JsonSchema => ({
  description,
  headers: rateHeaders,
  content: { "application/json": { schema: errorBody } },
});

/** The OpenAPI 3.1 description of the service, made of the routes themselves. */
export function openApi(routes: readonly Route[], baseUrl: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const schemas: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const { path } = openApiPath(route.path);
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
    const { view } = route.answer;
    if (view !== undefined) schemas[view.name] = objectSchema(view.fields, false);
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
        Refused: refused("Refused; the message says why."),
        OtherContentType: refused("The body is of another content type than the one described."),
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
