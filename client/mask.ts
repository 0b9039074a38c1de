/** Masks known secrets in texts: an error of the service may repeat what was sent. */

import { inWords } from "./printable.js";

/** Replaces a secret in a message. */
const MASK = "[secret]";
/** Shorter texts occur in any sentence, so masking them hides nothing. */
const SHORTEST = 4;
/** Length of the beginning by which a secret is recognized in a message that was cut off. */
const BEGINNING = 12;

/** Masks all secrets in a text: as they are, escaped for JSON or an address, or cut off. */
export function maskTexts(text: string, secrets: Iterable<string>): string {
  const known = new Set([...secrets].flatMap(formsOf).filter((form) => form.length >= SHORTEST));
  let masked = text;
  // A longer secret may contain a shorter one.
  const longestFirst = [...known].sort((a, b) => b.length - a.length);
  for (const form of longestFirst) masked = masked.replaceAll(form, () => MASK);
  for (const form of longestFirst) masked = withoutBeginning(masked, form);
  return masked;
}

/** The forms of a secret and of its lines: as they are, escaped for JSON, escaped for an address, and with blanks for line breaks. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= BEGINNING);
  return [secret.trim(), ...(lines.length > 1 ? lines : [])].flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    encoded(one),
    inWords(one),
  ]);
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // half of a character
  }
}

/** Masks the beginning of a secret, which is all that a message contains if it was cut off. */
function withoutBeginning(text: string, secret: string): string {
  const beginning = secret.slice(0, Math.max(BEGINNING, Math.ceil(secret.length / 4)));
  let masked = "";
  let rest = text;
  for (let at = rest.indexOf(beginning); at >= 0; at = rest.indexOf(beginning)) {
    let length = beginning.length;
    while (length < secret.length && rest[at + length] === secret[length]) length += 1;
    masked += rest.slice(0, at) + MASK;
    rest = rest.slice(at + length);
  }
  return masked + rest;
}
