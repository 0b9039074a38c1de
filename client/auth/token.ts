import { createHash } from "node:crypto";
import { ServiceError } from "../errors.js";

/** Where access tokens come from. A plain string serves for a personal access token. */
export interface TokenProvider {
  /**
   * Whose tokens these are, if that is known before the first one: clients of one identity and address share one
   * rate limiter. Without it every provider object has its own. Must not be a secret.
   */
  readonly identity?: string;
  /**
   * A token that is good now. `rejected` is one that the service has just answered with 401: return another, or
   * the same to say there is none. Called before every request, often at the same time.
   */
  token(options: { rejected?: string; signal?: AbortSignal | undefined }): string | Promise<string>;
}

/** A token that never changes, such as a personal access token. */
export function personalToken(token: string): TokenProvider {
  const checked = sendableToken(token);
  return { identity: createHash("sha256").update(checked).digest("hex"), token: () => checked };
}

/** A token that can stand in a header; Node's own error for one that cannot would print it. */
export function sendableToken(token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new ServiceError({
    code: "invalid-value",
    field: "token",
    what: trimmed === "" ? "the token is empty" : "the token holds characters that no token has",
    remedy: "Give the token as the service showed it, without quotes or line breaks.",
  });
}

let nameless = 0;
const names = new WeakMap<TokenProvider, string>();

/** A key for what is kept per user. */
export function tokenIdentity(provider: TokenProvider): string {
  if (provider.identity !== undefined) return provider.identity;
  let name = names.get(provider);
  if (name === undefined) names.set(provider, (name = `provider-${++nameless}`));
  return name;
}
