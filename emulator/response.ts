/** Responses, and how rows become JSON. */
import { z } from "zod";
import { type Fields, integer, text } from "./fields.js";

export type Json = Record<string, unknown>;

/** Fields of one kind of response, under its name in the OpenAPI description. */
export interface ResponseSchema {
  readonly name: string;
  readonly fields: Fields;
}

export function defineSchema<T extends Fields>(name: string, fields: T): { name: string; fields: T } {
  return { name, fields };
}

/** Response of a route to a successful request. */
export interface RouteResponse {
  readonly status: 200 | 201 | 204;
  /** Alternative status of the same response. */
  readonly otherStatus?: 200 | 201;
  readonly schema?: ResponseSchema;
  /** Name of the array in the response to a list request. */
  readonly list?: string;
}

export const respondOk = (schema: ResponseSchema): RouteResponse => ({ status: 200, schema });
export const respondCreated = (schema: ResponseSchema): RouteResponse => ({ status: 201, schema });
export const deleted: RouteResponse = { status: 204 };

/** List response: an object with `url`, `html_url` and an array named after the resource. */
export function respondList(name: string, item: ResponseSchema): RouteResponse {
  const items = z.array(z.object(item.fields)).describe(`Items: ${item.name}`);
  return { ...respondOk(defineSchema(`${item.name}List`, { ...links, [name]: items })), list: name };
}

/** Returns the fields of a response in the order of its schema: computed ones, and those of a row under their own names. */
export function serializeFields(row: object, { fields }: ResponseSchema, computed: object): Json {
  const [own, other] = [row, computed] as readonly Readonly<Record<string, unknown>>[];
  const result: Json = {};
  for (const name in fields) {
    if (name in computed) result[name] = other?.[name];
    else if (name in row) result[name] = own?.[name];
  }
  return result;
}

export const textOrNull = text.nullable();
export const integerOrNull = integer.nullable();
export const date = text.meta({ format: "date-time" });
export const dateOrNull = date.nullable();
export const links = { url: text, html_url: text } as const;
export const toObjectSchema = ({ name, fields }: ResponseSchema) => z.object(fields).describe(name);
export const toNullableObjectSchema = (item: ResponseSchema) => toObjectSchema(item).nullable();
