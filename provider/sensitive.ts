/** Which values hold a secret though nothing declares them as one: nested views, headers, addresses with credentials. */

const sensitiveName =
  /pass(word|wd|phrase)?$|secret|token|api[-_]?key|private[-_]?key|credential|authorization|cookie/i;
const addressWithCredentials = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i;
const queryWithSecret = /[?&][^=&]*(token|secret|key|password|signature|sig)[^=&]*=/i;

/** Does the value, at any depth, hold something that looks like a secret? */
export function looksSecret(value: unknown): boolean {
  if (typeof value === "string") return addressWithCredentials.test(value) || queryWithSecret.test(value);
  if (Array.isArray(value)) return value.some(looksSecret);
  if (!isPlain(value)) return false;
  // A list of { name, value } or { key, value }, as headers and variables are written.
  const { name, key, encrypted } = value;
  if (encrypted === true || isSensitive(name) || isSensitive(key)) return true;
  return Object.entries(value).some(
    ([inner, v]) => (isSensitive(inner) && v !== "" && v !== null) || looksSecret(v),
  );
}

/** Only what was written down: not the values of a program that are still to come. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Does a name say that its value is secret? */
export function isSensitive(name: unknown): boolean {
  return typeof name === "string" && sensitiveName.test(name);
}
