/** Escapes keys in logical names, which are paths: a slash in a key becomes `%2F`. */

/** The part of a logical name for a key. A `%2F` in the key itself becomes `%252F`, so that different keys stay different. */
export function escapeKey(key: string): string {
  return key.replace(/%(?=(?:25)*2F)/g, "%25").replaceAll("/", "%2F");
}

/** The key of a part of a logical name. */
export function unescapeKey(part: string): string {
  return part.replaceAll("%2F", "/").replace(/%25(?=(?:25)*(?:2F))/g, "%");
}
