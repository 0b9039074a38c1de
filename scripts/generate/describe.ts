/** Returns the description of an argument, with its default. */
import type { z } from "zod";

export function describe(schema: z.core.$ZodType): string {
  const { description = "", default: initially } = (schema as z.ZodType).meta() ?? {};
  return withDefault(description, initially);
}

export function withDefault(description: string, initially: unknown): string {
  if (initially === undefined) return description;
  const value = typeof initially === "string" ? initially : JSON.stringify(initially);
  return `${description} Default: ${value}.`.trim();
}
