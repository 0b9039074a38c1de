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

/** The value with each text in it that looks like a secret replaced; `path` leads to it. */
export function mapSecrets(
  value: unknown,
  replace: (text: string, path: readonly (string | number)[]) => unknown,
  named: unknown = undefined,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value === "string")
    return value !== "" && (isSensitive(named) || looksSecret(value)) ? replace(value, path) : value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapSecrets(item, replace, named, [...path, index]));
  if (!isPlain(value)) return value;
  const { name, key, encrypted } = value;
  const says = encrypted === true ? "secret" : [name, key].find(isSensitive);
  return Object.fromEntries(
    Object.entries(value).map(([inner, of]) => {
      const hides = inner === "value" ? (says ?? named) : isSensitive(inner) ? inner : undefined;
      return [inner, mapSecrets(of, replace, hides, [...path, inner])];
    }),
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
