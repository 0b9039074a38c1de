/** Sources of access tokens. */
import { createHash } from "node:crypto";
import { ServiceError } from "../errors.js";

/** A source of access tokens. For a personal access token, a plain string is enough. */
export interface TokenProvider {
  /**
   * Identifies the user of the tokens, if the user is known before the first token. Clients with the same identity and address
   * share one rate limiter. Without it, every provider has its own. Must not be a secret.
   */
  readonly identity?: string;
  /**
   * Returns a valid token. `rejected` is one that the service has just refused with 401: return another one, or the same if
   * there is none. Called before every request, often at the same time.
   */
  token(options: { rejected?: string; signal?: AbortSignal | undefined }): string | Promise<string>;
}

/** A token that never changes, such as a personal access token. */
export function personalToken(token: string): TokenProvider {
  const checked = checkSendableToken(token);
  return { identity: createHash("sha256").update(checked).digest("hex"), token: () => checked };
}

/** Validates that a token can be sent in a header. Node's own error would print the token. */
export function checkSendableToken(token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new ServiceError({
    code: "invalid-value",
    field: "token",
    what: trimmed === "" ? "the token is empty" : "the token contains invalid characters",
    remedy: "Copy the token as the service showed it, without quotes or line breaks.",
  });
}

let nameless = 0;
const names = new WeakMap<TokenProvider, string>();

/** The key of data that is stored per user. */
export function hashTokenIdentity(provider: TokenProvider): string {
  if (provider.identity !== undefined) return provider.identity;
  let name = names.get(provider);
  if (name === undefined) names.set(provider, (name = `provider-${++nameless}`));
  return name;
}
