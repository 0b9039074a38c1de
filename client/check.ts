import { z } from "zod";
import { ServiceError } from "./errors.js";
import type { Schema } from "./schema.js";

/** The answer as its type, or an `invalid-response` that names the place in the answer (never its value). */
export function check<T>(schema: Schema<T>, body: unknown, request: { method: string; path: string }): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.length ? z.core.toDotPath(issue.path) : "the answer";
  const expected = issue && "expected" in issue ? String(issue.expected) : "something else";
  throw new ServiceError({
    code: "invalid-response",
    method: request.method,
    path: request.path,
    what: `${place} is not what the service promises (expected ${expected})`,
    remedy: "Check that the base address is that of the service's API.",
    mayHaveBeenApplied: request.method !== "GET",
  });
}
