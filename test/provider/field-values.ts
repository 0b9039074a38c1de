/** Generates different valid values for an argument from its schema. */
import { z } from "zod";

/** Returns no values if the schema alone does not define what is valid, as for a reference. */
export function someValues(name: string, schema: z.core.$ZodType): readonly unknown[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnknown) return [{ name: `${name} one`, parts: [1] }, `${name} two`];
  if (inner instanceof z.ZodEnum) return inner.options;
  if (inner instanceof z.ZodBoolean) return [true, false];
  if (inner instanceof z.ZodNumber) return [30, 60];
  if (inner instanceof z.ZodString) return strings(name, inner);
  if (inner instanceof z.ZodRecord) return [{ a: { deep: 1 } }, { a: { deep: 2 } }];
  if (inner instanceof z.ZodArray) return lists(name, inner);
  if (inner instanceof z.ZodUnion && inner.safeParse("2222").success && inner.safeParse(22).success)
    return [22, "2222"];
  return [];
}

function strings(name: string, schema: z.ZodString): unknown[] {
  const candidates = [`${name} one`, `${name} two`, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"];
  return candidates.filter((text) => schema.safeParse(text).success);
}

function lists(name: string, schema: z.ZodArray): unknown[] {
  const item = unwrap(schema.element);
  if (item instanceof z.ZodUnknown) return [[{ kind: "x" }], [{ kind: "y" }]];
  if (item instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = item.shape;
    const entries = Object.entries(shape);
    const values = entries.map(([key, inner]) => [key, someValues(key, inner)] as const);
    return [0, 1].map((i) => [Object.fromEntries(values.map(([key, some]) => [key, some[i]]))]);
  }
  const some = someValues(name, item);
  return [some.slice(0, 1), some.slice(0, 2)];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  return schema;
}
