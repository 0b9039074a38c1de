/** Describes arguments. */
import type { z } from "zod";

/** Reports whether an argument may be omitted. */
export function isOptional(schema: z.core.$ZodType | undefined): boolean {
  return (schema as z.ZodType | undefined)?.safeParse(undefined).success === true;
}

/** Returns the description of an argument, with its default. */
export function describe(schema: z.core.$ZodType): string {
  const { description = "", default: initially } = (schema as z.ZodType).meta() ?? {};
  return withDefault(description, initially);
}

export function withDefault(description: string, initially: unknown): string {
  if (initially === undefined) return description;
  const value = typeof initially === "string" ? initially : JSON.stringify(initially);
  return `${description} Default: ${value}.`.trim();
}
