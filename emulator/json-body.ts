import type { FastifyInstance } from "fastify";
import { badRequest } from "./errors.js";

/** Bodies in JSON. An empty one with that content type is no body: clients send it with DELETE. */
export function acceptJson(app: FastifyInstance): void {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, parsed(body as string));
    } catch {
      done(badRequest("The request body is not valid JSON."));
    }
  });
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;
const HALF = /\p{Surrogate}/u;

/** Refuses half of a character (`\ud800` alone), too: no text in UTF-8 can hold it. */
function parsed(text: string): unknown {
  return JSON.parse(text, ESCAPED_SURROGATE.test(text) ? refuseHalves : undefined);
}

function refuseHalves(key: string, value: unknown): unknown {
  if (HALF.test(key) || (typeof value === "string" && HALF.test(value)))
    throw new SyntaxError("half of a character");
  return value;
}
