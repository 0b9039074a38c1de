/** Building blocks for the schemas of the service's objects. */
import { z } from "zod";

/*
 * Responses are checked leniently. Fields that this library relies on (ids, names, the arrays of lists) have a real
 * type. All others are `unchecked`: they have the type of the spec, and are passed on unchanged, as are unknown fields.
 */

/** A field of the spec that is passed on unchecked: absent in summaries, null when empty. */
export function unchecked<T>() {
  return (z.any() as unknown as z.ZodType<T | null>).optional();
}

/** The schema of an object of the service. Unknown fields are passed on. */
export const apiObject = z.looseObject;

/** The body of a PATCH. Null clears a value. */
export type Patch<T> = { [K in keyof T]?: T[K] | null };

export const links = { url: unchecked<string>(), html_url: unchecked<string>() };

export type Schema<T> = z.ZodType<T>;
