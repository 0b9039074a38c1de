/** What token endpoints write in place of the values of RFC 6749. */

const lifetimes = ["expires_in", "refresh_token_expires_in"];

/**
 * Rewrites a token response as the standard has it. Null and an empty text mean "absent", as everywhere in the service. So does a lifetime that is
 * no positive number: servers that say 0 mostly mean that the token does not expire, and a 401 renews one that does. An ID token is for clients
 * that ask who the user is.
 */
export function readTokenResponse(response: unknown): unknown {
  if (typeof response !== "object" || response === null || Array.isArray(response)) return response;
  const entries = Object.entries({ token_type: "Bearer", ...response } as Record<string, unknown>).flatMap(
    ([name, value]): [string, unknown][] => {
      if (value === null || value === "" || name === "id_token") return [];
      if (name === "scope" && Array.isArray(value)) return [[name, value.join(" ")]];
      if (!lifetimes.includes(name)) return [[name, value]];
      const seconds = Number(value);
      return Number.isFinite(seconds) && seconds > 0 ? [[name, seconds]] : [];
    },
  );
  return Object.fromEntries(entries);
}
