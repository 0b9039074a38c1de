/** Bodies of requests: their types and sizes. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createBadRequestError, ServiceError } from "./errors.js";

/** Maximum nesting depth of a body. Stored values are serialized to JSON again, which recurses. */
const maxBodyDepth = 100;

/** Maximum size of a body in bytes. */
export const maxBodyBytes = 64 * 1024 * 1024;

const jsonType = "application/json";
const formType = "application/x-www-form-urlencoded";

/** Accepts JSON bodies. An empty body counts as none, whatever its type, since some clients send one with DELETE. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonType, { parseAs: "string" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, parseJson(body as string));
    } catch (error) {
      done(
        error instanceof ServiceError ? error : createBadRequestError("The request body is not valid JSON."),
      );
    }
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body.length === 0 ? undefined : body);
  });
}

/** Requires JSON, or a form at the token endpoints (spec, "General conventions"). @throws ServiceError 415. */
export function checkContentType({ body, headers }: FastifyRequest, wantsForm: boolean): void {
  if (body === undefined) return;
  const isForm = headers["content-type"]?.toLowerCase().startsWith(formType) === true;
  if (isForm === wantsForm && !Buffer.isBuffer(body)) return;
  throw new ServiceError(415, `The request body must be ${wantsForm ? formType : jsonType}.`);
}

function parseJson(text: string): unknown {
  if (isDeeper(text, maxBodyDepth))
    throw createBadRequestError(`The request body is nested deeper than ${maxBodyDepth} levels.`);
  return JSON.parse(text);
}

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);

/** Reports whether brackets outside of strings nest deeper than a limit. Reads the text once. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === backslash) index++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    // Character codes of `{` and `[`, then of `}` and `]`.
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
