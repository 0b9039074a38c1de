import { longestSegment, type Field, type Fields } from "./fields.js";

export type JsonSchema = { [key: string]: unknown };

/** A moment in UTC that every calendar has; narrower than what is accepted, so that generated samples are valid. */
const datePattern =
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$";

function typed(field: Field, sent: boolean): JsonSchema {
  switch (field.type) {
    case "string":
      // An empty value, also one of blanks only, is refused.
      return sent && field.mayBeEmpty !== true && field.values === undefined
        ? {
            type: "string",
            minLength: 1,
            ...(field.inAddress === true ? { maxLength: longestSegment } : {}),
            pattern: field.pattern ?? "\\S",
          }
        : { type: "string" };
    case "integer":
      return {
        type: "integer",
        minimum: field.min ?? Number.MIN_SAFE_INTEGER,
        maximum: field.max ?? Number.MAX_SAFE_INTEGER,
      };
    case "number":
    case "boolean":
      return { type: field.type };
    case "date":
      return sent ? { type: "string", pattern: datePattern } : { type: "string", format: "date-time" };
    case "object":
      return field.fields === undefined ? { type: "object" } : objectSchema(field.fields, sent);
    case "array":
      return { type: "array", items: {} };
    case "strings":
      return { type: "array", items: { type: "string" } };
    case "objects":
      return {
        type: "array",
        items: field.fields === undefined ? { type: "object" } : objectSchema(field.fields, sent),
      };
    case "any":
      return {};
  }
}

/** JSON Schema of one field. @param sent For a request; else for an answer. */
export function fieldSchema(field: Field, sent: boolean): JsonSchema {
  const schema = typed(field, sent);
  const isNullable = sent ? field.required !== true && field.notNull !== true : field.nullable === true;
  if (field.values !== undefined) schema["enum"] = isNullable ? [...field.values, null] : field.values;
  if (sent && field.required === true && schema["type"] === "array") schema["minItems"] = 1;
  if (isNullable && typeof schema["type"] === "string") schema["type"] = [schema["type"], "null"];
  if (field.description !== undefined) schema["description"] = field.description;
  if (field.secret === true) schema["writeOnly"] = true;
  return schema;
}

/** JSON Schema of an object with these fields. Others may stand beside them. */
export function objectSchema(fields: Fields, sent: boolean): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries
    .filter(([, field]) => (sent ? field.required === true : field.optional !== true))
    .map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field, sent)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
