import type { Fields } from "./fields.js";

/** The fields of one kind of answer, under the name it has in the OpenAPI description. */
export interface View {
  readonly name: string;
  readonly fields: Fields;
}

export function view(name: string, fields: Fields): View {
  return { name, fields };
}

/** What a route answers when all went well. */
export interface Answer {
  readonly status: 200 | 201 | 204;
  /** Another status the same answer may have. */
  readonly otherStatus?: 200 | 201;
  readonly view?: View;
}

export const ok = (of: View): Answer => ({ status: 200, view: of });
export const created = (of: View): Answer => ({ status: 201, view: of });
export const deleted: Answer = { status: 204 };

/** A list: an object with `url`, `html_url` and an array named after the resource. */
export function listOf(name: string, item: View): Answer {
  const fields: Fields = {
    url: { type: "string" },
    html_url: { type: "string" },
    [name]: { type: "objects", fields: item.fields, description: `Items: ${item.name}` },
  };
  return { status: 200, view: view(`${item.name}List`, fields) };
}

// Shorthands for field tables of answers.
export const text = { type: "string" } as const;
export const textOrNull = { type: "string", nullable: true } as const;
export const integer = { type: "integer" } as const;
export const integerOrNull = { type: "integer", nullable: true } as const;
export const flag = { type: "boolean" } as const;
export const date = { type: "date" } as const;
export const dateOrNull = { type: "date", nullable: true } as const;
export const links = { url: text, html_url: text } as const;
export const objectOf = (of: View, nullable = false) =>
  ({ type: "object", fields: of.fields, description: of.name, nullable }) as const;
