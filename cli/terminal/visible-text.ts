/** Makes the difference between two strings visible: escapes characters that look alike or are invisible. */
import { isTame } from "./safe-text.js";

/** Characters that are invisible, except the space: controls, other spaces, ignorable and unassigned ones. */
const HIDDEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** Letters of the scripts that have the forms of Latin letters. */
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

/** Returns a text in quotes, with escapes for what does not show. @param ascii escape every other letter too */
export function quoteText(text: string, ascii: boolean = false): string {
  return escapeText(JSON.stringify(text), ascii);
}

/** Escapes what does not show in a JSON text. */
export function escapeText(json: string, ascii: boolean = false): string {
  const shown = json.replace(HIDDEN, escape).replace(/#(?=#\w*\[)/g, escape);
  if (ascii) return shown.replace(/[^ -~]+/g, escape);
  return shown.replace(WORD, (word) => (isMixed(word) ? word.replace(LOOKALIKE, escape) : word));
}

/** Returns a line as it is, or in quotes if a part of it would not show. */
export function formatLine(line: string): string {
  return needsQuotes(line) ? quoteText(line) : line;
}

/** What a string looks like: strings with the same form look alike. @param tabs whether there are spaces next to tabs, whose width varies */
export function describeForm(text: string, tabs: boolean = false): string {
  const form = text.normalize("NFKC").replace(IGNORABLE, "").trimEnd();
  return tabs ? form.replace(/\s+/g, " ") : form;
}

function needsQuotes(line: string): boolean {
  // An empty end of a line is invisible, and so is a character that no font has.
  return !isTame(line, true) || /\p{C}(?<!\t)/u.test(line) || (line.match(WORD) ?? []).some(isMixed);
}

function isMixed(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && word.search(LOOKALIKE) >= 0;
}

function escape(characters: string): string {
  return Array.from({ length: characters.length }, (_, at) => formatUnitHex(characters.charCodeAt(at))).join(
    "",
  );
}

const formatUnitHex = (unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`;
