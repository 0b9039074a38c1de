/** Escapes texts for a workspace file: a `${` that would start a placeholder becomes `$${`. */
import { escapePlaceholders } from "../../../../workspace-file/index.js";

export function escaped<T>(value: T): T {
  if (typeof value === "string") return escapePlaceholders(value) as T;
  if (Array.isArray(value)) return value.map(escaped) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner)])) as T;
}
