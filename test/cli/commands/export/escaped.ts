/** Texts as they are meant: a `${` that reads as a placeholder is written `$${`. */
import { escapePlaceholders } from "../../../../workspace-file/index.js";

export function escaped<T>(value: T): T {
  if (typeof value === "string") return escapePlaceholders(value) as T;
  if (Array.isArray(value)) return value.map(escaped) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner)])) as T;
}
