import { badRequest, emptyValue } from "./errors.js";

/**
 * Field tables: what a body, a query or an answer may hold. Requests are checked against them, TypeScript types are
 * inferred from them, and the OpenAPI description is generated from them, so that nothing is said twice.
 */
export type FieldType =
  "string" | "integer" | "number" | "boolean" | "date" | "object" | "array" | "strings" | "objects" | "any";

export interface Field {
  readonly type: FieldType;
  /** Must be sent and not be null. */
  readonly required?: boolean;
  /** Need not be sent, but may not be null: what cannot be emptied. */
  readonly notNull?: boolean;
  /** What a text must look like. */
  readonly pattern?: string;
  /** The spec's allowed words. */
  readonly values?: readonly string[];
  /** Members of an object, or of each object of `objects`. */
  readonly fields?: Fields;
  /** An empty string is meaningful here. */
  readonly mayBeEmpty?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Becomes a part of an address, by which the object must be found again. */
  readonly inAddress?: boolean;
  /** Accepted, kept encrypted, never echoed. */
  readonly secret?: boolean;
  /** Answers only: may be null. */
  readonly nullable?: boolean;
  /** Answers only: may be absent. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly format?: string;
}

export type Fields = { readonly [name: string]: Field };

/** An e-mail address, as far as one can tell. */
export const emailField = {
  type: "string",
  pattern: "^[^\\s@]+@[^\\s@]+$",
  inAddress: true,
} as const satisfies Field;

type Plain = {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  date: string;
  object: Record<string, unknown>;
  array: unknown[];
  strings: string[];
  objects: Record<string, unknown>[];
  any: unknown;
};

type ValueOf<F extends Field> = F extends { values: readonly (infer W extends string)[] }
  ? W
  : F extends { type: "object"; fields: infer Inner extends Fields }
    ? BodyOf<Inner>
    : F extends { type: "objects"; fields: infer Inner extends Fields }
      ? BodyOf<Inner>[]
      : Plain[F["type"]];

/** The value that a body checked against a field table has. An optional field may also be null. */
export type BodyOf<T extends Fields> = {
  [K in keyof T as T[K] extends { required: true } ? K : never]: ValueOf<T[K]>;
} & {
  [K in keyof T as T[K] extends { required: true } ? never : K]?: T[K] extends { notNull: true }
    ? ValueOf<T[K]>
    : ValueOf<T[K]> | null;
};

/** The value that a query checked against a field table has. */
export type QueryOf<T extends Fields> = { [K in keyof T]?: ValueOf<T[K]> };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:?00)?)?$/;

/** A date of the spec (ISO 8601 in UTC) that exists in the calendar. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoDate.test(value) && !Number.isNaN(parseDate(value));
}

/** Milliseconds since the epoch; text without a zone is UTC. */
export function parseDate(value: string): number {
  const zoned = !value.includes("T") || /(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`;
  return Date.parse(zoned);
}

function isOfType(field: Field, value: unknown): boolean {
  switch (field.type) {
    case "string":
      return typeof value === "string" && (field.mayBeEmpty === true || value.trim() !== "");
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return isDate(value);
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "objects":
      return Array.isArray(value) && value.every(isObject);
    case "any":
      return true;
  }
}

/** In characters; with each of them encoded it still fits into an address. */
export const longestSegment = 512;

/** Whether a text can be a segment of a path: nothing that is resolved away, cannot be encoded, or is too long. */
function isSegment(text: string): boolean {
  if (text.length > 2 * longestSegment || [...text].length > longestSegment) return false;
  return text !== "." && text !== ".." && !/\p{Surrogate}/u.test(text);
}

function checkValue(name: string, field: Field, value: unknown): void {
  if (!isOfType(field, value)) throw emptyValue(name);
  if (field.required === true && Array.isArray(value) && value.length === 0) throw emptyValue(name);
  if (field.values !== undefined && !field.values.includes(value as string)) throw emptyValue(name);
  if (typeof value === "string" && field.pattern !== undefined && !new RegExp(field.pattern).test(value)) {
    throw emptyValue(name);
  }
  if (field.inAddress === true && !isSegment(value as string)) throw emptyValue(name);
  if (typeof value === "number") {
    if (field.min !== undefined && value < field.min) throw emptyValue(name);
    if (field.max !== undefined && value > field.max) throw emptyValue(name);
  }
  if (field.fields === undefined) return;
  const inner = field.fields;
  const objects = field.type === "object" ? [value] : Array.isArray(value) ? (value as unknown[]) : [];
  for (const object of objects) if (isObject(object)) checkFields(inner, object, name);
}

function checkFields(fields: Fields, body: Record<string, unknown>, parent?: string): void {
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    // The message names the parameter; a missing id inside of `integration` is an empty `integration`.
    const label = parent ?? name;
    if (value === undefined || value === null) {
      const isWanted = field.required === true || (value === null && field.notNull === true);
      if (isWanted) throw emptyValue(label);
    } else checkValue(label, field, value);
  }
}

/**
 * Check a JSON body: `Value of '<field>' cannot be empty.` for what is missing, empty or of the wrong type.
 * Unknown fields are ignored, or refused when `strict`.
 */
export function checkBody<T extends Fields>(fields: T, body: unknown, strict = false): BodyOf<T> {
  // No body at all is an empty one; `null` is a body, and not an object.
  const object = body === undefined ? {} : body;
  if (!isObject(object)) throw badRequest("The request body must be a JSON object.");
  checkFields(fields, object);
  if (strict) {
    for (const name of Object.keys(object)) {
      if (!Object.hasOwn(fields, name)) throw badRequest(`Unknown field '${name}'.`);
    }
  }
  return object as BodyOf<T>;
}

function parseQueryValue(name: string, field: Field, text: string): unknown {
  switch (field.type) {
    case "integer":
      if (!/^-?\d{1,16}$/.test(text)) throw emptyValue(name);
      return Number(text);
    case "boolean":
      if (text !== "true" && text !== "false") throw emptyValue(name);
      return text === "true";
    default:
      return text;
  }
}

/** Check a query string. A parameter given twice counts once, the last. Unknown parameters are ignored. */
export function checkQuery<T extends Fields>(fields: T, query: Record<string, unknown>): QueryOf<T> {
  const checked: Record<string, unknown> = {};
  for (const name in fields) {
    const field = fields[name];
    const raw: unknown = Object.hasOwn(query, name) ? query[name] : undefined;
    const text: unknown = Array.isArray(raw) ? raw.at(-1) : raw;
    if (field === undefined || typeof text !== "string") continue;
    const value = parseQueryValue(name, field, text);
    checkValue(name, field, value);
    checked[name] = value;
  }
  return checked as QueryOf<T>;
}
