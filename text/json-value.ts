/** Values as reports have them: whole JSON values, with marks in the place of what is secret or not known yet. */
import { z } from "zod";
import { HIDDEN, isPlain, isSecret, UNKNOWN } from "../diff/values.js";

/** The keys of marks. A map of the data that has a key with `$` is in a `$value` of its own, so that it is never mistaken for one. */
const SECRET = "$secret";
const NOT_KNOWN = "$unknown";
const DATA = "$value";

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const whole: z.ZodType<JsonValue> = z.lazy(() => jsonValue);

export const jsonValue: z.ZodType<JsonValue> = z
  .union([
    z.strictObject({
      [SECRET]: z
        .union([z.literal(true), z.string()])
        .describe("A secret: true, or its keyed fingerprint, which is equal for equal values."),
    }),
    z.strictObject({
      [NOT_KNOWN]: z
        .literal(true)
        .describe("Not known: only `up` finds it out, or the service never returns it."),
    }),
    z.strictObject({
      [DATA]: z
        .record(z.string(), whole)
        .describe("A map with a key that begins with $, which is therefore not a mark."),
    }),
    z.record(z.string().regex(/^(?:[^\x24]|$)/), whole),
    z.array(whole),
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
  ])
  .meta({
    id: "Value",
    description: "A whole value, with marks in the place of what is secret or not known yet.",
  });

/** The arguments of an object, by name. */
export const jsonArguments = z.record(z.string(), jsonValue);

/** Converts a value to JSON. A missing one is null. */
export function toJson(value: unknown): JsonValue {
  if (value === undefined || value === null) return null;
  if (value === UNKNOWN) return { [NOT_KNOWN]: true };
  if (isSecret(value)) return { [SECRET]: true };
  if (value instanceof SecretValue) return { [SECRET]: value.fingerprint };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object") return value as JsonValue;
  // Words in the place of a value.
  if (!isPlain(value)) return { [NOT_KNOWN]: true };
  const map = convertArgumentsToJson(value);
  return Object.keys(map).some((key) => key.startsWith("$")) ? { [DATA]: map } : map;
}

/** Converts the arguments of an object, whose names are no data. */
export function convertArgumentsToJson(values: object): { readonly [key: string]: JsonValue } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [key, toJson(value)]));
}

/** Copies a report as a program reads it from JSON. */
export function copyAsData<T extends object>(report: object): T {
  return JSON.parse(JSON.stringify(report)) as T;
}

/** A secret of which a report contains the fingerprint. */
export class SecretValue {
  constructor(readonly fingerprint: string) {}

  toJSON(): string {
    return this.fingerprint;
  }
}

/**
 * Converts a value of a report back, without the fingerprints of secrets.
 * @param unknown what stands for a value that is not known
 */
export function fromJson(value: JsonValue, unknown: unknown = UNKNOWN): unknown {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => fromJson(item, unknown));
  if (typeof value !== "object" || value === null) return value;
  const map = value as { readonly [key: string]: JsonValue };
  if (SECRET in map) return HIDDEN;
  if (NOT_KNOWN in map) return unknown;
  const data = (map[DATA] ?? map) as { readonly [key: string]: JsonValue };
  return Object.fromEntries(Object.entries(data).map(([key, inner]) => [key, fromJson(inner, unknown)]));
}
