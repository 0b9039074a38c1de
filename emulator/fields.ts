/** Schemas of the fields of bodies, queries and responses. */
import { z } from "zod";
import { createBadRequestError, createEmptyValueError } from "./errors.js";

/**
 * Schemas of the fields of a body, a query or a response, by name. Requests are checked against them, TypeScript types are
 * inferred from them and the OpenAPI description is generated from them, so that nothing is declared twice.
 */
export type Fields = { readonly [name: string]: z.ZodType };

/** Value of a body that was checked against these fields. */
export type BodyOf<T extends Fields> = z.output<z.ZodObject<T>>;

/** Value of a query that was checked against these fields; every parameter may be absent. */
export type QueryOf<T extends Fields> = { [K in keyof T]?: z.output<T[K]> };

export const text = z.string();
/** Text that is not blank, which the service treats like a missing value. */
export const nonBlank = text.min(1).regex(/\S/);
export const textList = z.array(text);
export const flag = z.boolean();
export const integer = z.int();
/** Secret text, which is stored encrypted and never returned. */
export const secretText = nonBlank.meta({ writeOnly: true });
export const optionalSecretText = nonBlank.nullish().meta({ writeOnly: true });

export function isSecret(field: z.ZodType): boolean {
  return field.meta()?.["writeOnly"] === true;
}

/** Pattern of UTC dates that are certainly valid. It is narrower than the check, so that generated samples are valid. */
const datePattern =
  "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$";
const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:?00)?)?$/;

/** Date of the spec (ISO 8601 in UTC) that exists in the calendar. */
export const inputDate = text
  .refine((value) => isoDate.test(value) && !Number.isNaN(parseDate(value)))
  .meta({ pattern: datePattern });

/** Returns milliseconds since the epoch. Text without a time zone is UTC. */
export function parseDate(value: string): number {
  const zoned = !value.includes("T") || /(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`;
  return Date.parse(zoned);
}

/** Maximum length in characters. A segment of this length fits into a URL even with every character encoded. */
const maxSegmentLength = 512;

/** Excludes what cannot be a segment of a URL's path: dot segments, text that cannot be encoded, overlong text. */
function isSegment(value: string): boolean {
  if (value.length > 2 * maxSegmentLength || [...value].length > maxSegmentLength) return false;
  return value !== "." && value !== ".." && !/\p{Surrogate}/u.test(value);
}

/** Text that identifies its object in a URL. */
export const segment = nonBlank.refine(isSegment).meta({ maxLength: maxSegmentLength });
export const email = text
  .min(1)
  .regex(/^[^\s@]+@[^\s@]+$/)
  .refine(isSegment)
  .meta({ maxLength: maxSegmentLength });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Requires a JSON body to be an object. A missing body is an empty one, while `null` is not an object. */
export function requireObject(body: unknown): Record<string, unknown> {
  const object = body === undefined ? {} : body;
  if (!isObject(object)) throw createBadRequestError("The request body must be a JSON object.");
  return object;
}

/**
 * Checks a JSON body and returns its fields. A field that is missing, empty or of the wrong type is `Value of '<field>' cannot be empty.`, with
 * the name of the outermost field. Unknown fields are ignored, or refused when `strict`.
 */
export function checkBody<T extends Fields>(fields: T, body: unknown, strict = false): BodyOf<T> {
  const object = requireObject(body);
  const checked: Record<string, unknown> = {};
  for (const name in fields) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (fields[name]?.safeParse(value).success === false) throw createEmptyValueError(name);
    if (value !== undefined) checked[name] = value;
  }
  if (strict) {
    for (const name of Object.keys(object)) {
      if (!Object.hasOwn(fields, name)) throw createBadRequestError(`Unknown field '${name}'.`);
    }
  }
  return checked as BodyOf<T>;
}

/** Returns the fields of a body, with the empty value of a field instead of null. */
export function withoutNulls<B extends object, E extends object>(
  body: B,
  emptyValues: E,
): { [K in keyof B]: K extends keyof E ? NonNullable<B[K]> | E[K] : B[K] } {
  const empty = emptyValues as Record<string, unknown>;
  const entries = Object.entries(body).map(([name, value]) => [name, value ?? empty[name]] as const);
  return Object.fromEntries(entries) as ReturnType<typeof withoutNulls<B, E>>;
}

/** Converts a parameter to its type; text that does not convert stays text, which the check then refuses. */
function parseQueryValue(field: z.ZodType, value: string): unknown {
  if (field instanceof z.ZodNumber && /^-?\d{1,16}$/.test(value)) return Number(value);
  if (field instanceof z.ZodBoolean && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Checks a query string. The last value of a repeated parameter counts. Unknown parameters are ignored. */
export function checkQuery<T extends Fields>(fields: T, query: Record<string, unknown>): QueryOf<T> {
  const checked: Record<string, unknown> = {};
  for (const name in fields) {
    const field = fields[name];
    const sent: unknown = Object.hasOwn(query, name) ? query[name] : undefined;
    const value: unknown = Array.isArray(sent) ? sent.at(-1) : sent;
    if (field === undefined || typeof value !== "string") continue;
    const result = field.safeParse(parseQueryValue(field, value));
    if (!result.success) throw createEmptyValueError(name);
    checked[name] = result.data;
  }
  return checked as QueryOf<T>;
}
