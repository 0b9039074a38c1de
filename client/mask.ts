/**
 * Masks known secrets in texts: an error of the service may repeat what was sent, as it was or encoded. What is encoded otherwise (twice in
 * Base64, compressed, reversed, hashed, with names of letters such as `&uuml;`) is not recognized.
 */
import { locateSpan, replace, type TextView, unescape, withBlanks } from "./unescape.js";

/** Replaces a secret in a message. */
export const MASK = "[secret]";
/** Shorter texts occur in any sentence, so masking them hides nothing. */
const SHORTEST = 4;
/** Shorter secrets are not recognized in Base64 and hexadecimal, where they may be parts of other words. */
const SHORTEST_ENCODED = 6;
/** Shorter secrets are recognized in their own case only. */
const SHORTEST_IN_ANY_CASE = 8;
/** Length of the beginning by which a secret is recognized in a message that was cut off. */
const BEGINNING = 12;
/** The same in Base64 and hexadecimal. */
const ENCODED_BEGINNING = 16;

/** Masks all secrets in a text: as they are, in another case, escaped, encoded, or cut off. */
export function maskTexts(text: string, secrets: Iterable<string>): string {
  const needles = [...new Set([...secrets].flatMap(splitSecret))].flatMap(listNeedles);
  if (needles.length === 0) return text;
  const views = getViews(text);
  const spans = needles.flatMap(({ view, form, beginning }) => listSpans(views[view], form, beginning));
  let [masked, end] = ["", 0];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    if (from >= end) masked += text.slice(end, from) + MASK;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

/** The forms of a text in which secrets are searched for. */
interface Views {
  readonly original: TextView;
  readonly originalInLowerCase: TextView;
  /** Without escapes, and with blanks for line breaks. */
  readonly plain: TextView;
  readonly plainInLowerCase: TextView;
  /** Without escapes and line breaks, and with one alphabet of Base64. */
  readonly base64: TextView;
  /** In lower case, without escapes and separators. */
  readonly hex: TextView;
}

/** A form of a secret. */
interface Needle {
  readonly view: keyof Views;
  readonly form: string;
  /** Length by which it is recognized if the rest was cut off. */
  readonly beginning: number;
}

function getViews(text: string): Views {
  const decoded = unescape(text);
  const plain = withBlanks(decoded);
  const plainInLowerCase = lowerCase(plain);
  return {
    original: { text },
    originalInLowerCase: lowerCase({ text }),
    plain,
    plainInLowerCase,
    base64: replace(decoded, /[-_]|\s+/g, ([found]) => ({ "-": "+", _: "/" })[found] ?? ""),
    hex: replace(plainInLowerCase, /0x|[\s:,-]+/g, () => ""),
  };
}

const CAPITALS = /\p{Lu}/gu;

function lowerCase(view: TextView): TextView {
  return replace(view, CAPITALS, ([letter]) => letter.toLowerCase());
}

/** A secret and its long lines. */
function splitSecret(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= BEGINNING);
  return [secret.trim(), ...(lines.length > 1 ? lines : [])].filter((part) => part.length >= SHORTEST);
}

function listNeedles(secret: string): Needle[] {
  const plain = withBlanks(unescape(secret)).text;
  const lower = (text: string) => text.replace(CAPITALS, (letter) => letter.toLowerCase());
  const forms: readonly (readonly [keyof Views, string])[] =
    secret.length < SHORTEST_IN_ANY_CASE
      ? [
          ["original", secret],
          ["plain", plain],
        ]
      : [
          ["originalInLowerCase", lower(secret)],
          ["plainInLowerCase", lower(plain)],
        ];
  const needles: Needle[] = forms.map(([view, form]) => ({ view, form, beginning: BEGINNING }));
  const bytes = Buffer.from(secret);
  if (bytes.length >= SHORTEST_ENCODED) {
    needles.push({ view: "hex", form: bytes.toString("hex"), beginning: ENCODED_BEGINNING });
    for (const before of [0, 1, 2])
      needles.push({ view: "base64", form: encodeBase64Core(bytes, before), beginning: ENCODED_BEGINNING });
  }
  return needles.filter(({ form }) => form.trim().length >= SHORTEST);
}

/** @param before number of bytes before the secret. Characters that also depend on neighboring bytes are omitted. */
function encodeBase64Core(bytes: Buffer, before: number): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  return whole.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
}

/** Finds a form wherever it is complete, or begins and was cut off. */
function listSpans(view: TextView, form: string, shortest: number): (readonly [from: number, to: number])[] {
  const { text } = view;
  const beginning = form.slice(0, Math.max(shortest, Math.ceil(form.length / 4)));
  const spans: (readonly [number, number])[] = [];
  for (let at = text.indexOf(beginning); at >= 0;) {
    let length = beginning.length;
    while (length < form.length && text[at + length] === form[length]) length += 1;
    spans.push(locateSpan(view, at, length));
    at = text.indexOf(beginning, at + length);
  }
  return spans;
}
