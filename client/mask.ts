/** Known secrets, taken out of a text before anybody reads it: a service may repeat in an error what it was sent. */

import { inWords } from "./printable.js";

/** What stands for a secret in a message. */
const MASK = "[secret]";
/** Shorter texts are in every sentence, and hide nothing. */
const SHORTEST = 4;
/** So much of the beginning of a secret is enough to know it by: messages are cut off. */
const BEGINNING = 12;

/** The text with every one of the secrets masked: whole, as it stands in JSON or an address, or cut off. */
export function maskTexts(text: string, secrets: Iterable<string>): string {
  const known = new Set([...secrets].flatMap(formsOf).filter((form) => form.length >= SHORTEST));
  let masked = text;
  // A longer secret may hold a shorter one.
  const longestFirst = [...known].sort((a, b) => b.length - a.length);
  for (const form of longestFirst) masked = masked.replaceAll(form, () => MASK);
  for (const form of longestFirst) masked = withoutBeginning(masked, form);
  return masked;
}

/** A secret, and its lines: as it is, escaped in JSON, escaped in an address, and with blanks for line breaks. */
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

/** Where a message was cut off, only the beginning of a secret stands in it. */
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
