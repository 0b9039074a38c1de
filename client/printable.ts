/**
 * Makes texts from outside safe for a terminal, a log or a report, and shows what they contain. This is the one escaper for names, values and
 * messages in all forms; the table in docs/reports.md says what it does with each kind of character.
 */

/**
 * Characters that control a terminal, end a line, change the direction of a text or have no width: C0 and C1 controls, line
 * separators, bidi controls, joiners and the like, tags.
 */
export const UNPRINTABLE =
  /[\p{Cc}\p{Bidi_Control}\u00AD\u180E\u200B-\u200F\u2028\u2029\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const RUNS = new RegExp(`(?:${UNPRINTABLE.source})+`, "gu");

/** Returns a text as one line, with a blank for each run of such characters. */
export function spellOut(text: string): string {
  return text.replace(RUNS, " ");
}

/** An emoji, also one that several make together, and a key of a phone. */
const PICTURE = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?`;
const EMOJI = String.raw`${PICTURE}(?:\u200D${PICTURE})*|[\d#*]\uFE0F?\u20E3`;
/** Joiners are part of the spelling in Arabic and the scripts of India. The wide blank is the blank of Chinese and Japanese. */
const JOINING =
  "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}]";
const WIDE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]";
const SPELLING = String.raw`(?<=${JOINING}\p{M}*)[\u200C\u200D](?=${JOINING})|(?<=${WIDE})\u3000(?=${WIDE})`;
/** Controls, unassigned characters, blanks except the space, and what has no width. */
const INVISIBLE = String.raw`(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
/** A mark without a letter, and those of a pile. */
const MARK = String.raw`(?<![\p{L}\p{M}\p{N}\p{So}])\p{M}|(?<=\p{M}{4})\p{M}`;
const HIDDEN = new RegExp(`(${EMOJI}|${SPELLING})|${INVISIBLE}|${MARK}`, "gu");

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters of the scripts that have the forms of Latin letters. */
const LOOKALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/gu;
/** Letters of Cyrillic that nobody can tell from Latin ones. */
const LATIN_FORM =
  /[\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u04cf\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423\u04ae\u050c\u051a\u051c]/;
const CYRILLIC = /\p{Script=Cyrillic}/gu;
/** Latin letters and digits in other forms: wide ones, and those of mathematics. */
const STYLED = /[\uFF01-\uFF5E\u2100-\u214F\u{1D400}-\u{1D7FF}]/gu;
const ORDINARY = /^[\x20-\x7E]*$/;

/** What is invisible and belongs to the spelling of what is next to it, as a regular expression. */
export const KEPT = `${EMOJI}|${SPELLING}`;
const HARMFUL = new RegExp(`(${KEPT})|${UNPRINTABLE.source}`, "gu");

/** Replaces the characters of {@link UNPRINTABLE}, where they do not belong to the spelling. */
export function replaceUnprintable(text: string, replace: (sign: string) => string): string {
  return text.replace(HARMFUL, (sign, kept?: string) => kept ?? replace(sign));
}

/** Returns a text as one line, with an escape for each character that does not show or looks like another. */
export function stripControls(text: string): string {
  if (ORDINARY.test(text)) return text;
  const shown = text.replace(HIDDEN, (sign, kept?: string) => kept ?? escapeSign(sign));
  const styled = new RegExp(WIDE, "u").test(shown) ? shown : shown.replace(STYLED, escapeStyled);
  const unmixed = escapeLookalikes(styled, isMixed);
  // What is printed can pass here twice: only letters that are still there decide about the others.
  const isAllOfLatinForm = (unmixed.match(CYRILLIC) ?? []).every((letter) => LATIN_FORM.test(letter));
  return isAllOfLatinForm ? escapeLookalikes(unmixed, (word) => word.search(CYRILLIC) >= 0) : unmixed;
}

function escapeLookalikes(text: string, concerns: (word: string) => boolean): string {
  return text.replace(WORD, (word) => (concerns(word) ? word.replace(LOOKALIKE, escapeSign) : word));
}

/** Does the same for a text of any number of lines, whose tabs and line breaks stay. */
export function showLines(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(/[^\t\n]+/g, stripControls);
}

/** Writes characters as escapes of JSON. */
export function escapeSign(characters: string): string {
  const units = Array.from({ length: characters.length }, (_, at) => characters.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

function isMixed(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && word.search(LOOKALIKE) >= 0;
}

function escapeStyled(sign: string): string {
  return /^[\x21-\x7E]$/.test(sign.normalize("NFKC")) ? escapeSign(sign) : sign;
}
