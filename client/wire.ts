import { z } from "zod";

/*
 * Answers are checked leniently. Fields that this library relies on (ids, names, the arrays of lists) have a real
 * type; all others are `told`: typed as the spec says, kept as they come, not checked. Unknown fields are kept.
 */

/** A field of the spec that is passed on unchecked: absent in summaries, null when empty. */
export function told<T>() {
  return (z.any() as unknown as z.ZodType<T | null>).optional();
}

/** An object of the service: known fields as given, unknown ones kept. */
export const wire = z.looseObject;

/** Of a PATCH: what it carries, where null takes a value away. */
export type Patch<T> = { [K in keyof T]?: T[K] | null };

export const links = { url: told<string>(), html_url: told<string>() };

export type Schema<T> = z.ZodType<T>;
