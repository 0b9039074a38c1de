/** Checks responses against their schemas. */
import { z } from "zod";
import { ServiceError } from "./errors.js";
import type { Schema } from "./schema.js";

/** Checks a response. An `invalid-response` names the path in the response, never its value. */
export function check<T>(schema: Schema<T>, body: unknown, request: { method: string; path: string }): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.length ? z.core.toDotPath(issue.path) : "the whole";
  const expected = issue && "expected" in issue ? String(issue.expected) : "something else";
  throw new ServiceError({
    code: "invalid-response",
    method: request.method,
    path: request.path,
    what: `${path} in the response is not what the service documents (expected ${expected})`,
    remedy:
      "Another server may have responded: check the base address. If it is right, report this to those who run the service.",
    mayHaveBeenApplied: request.method !== "GET",
  });
}
