/** Removes the escapes of a text, and remembers where each of its characters was. */
import { UNPRINTABLE } from "./printable.js";

/** A text that was derived from another one. */
export interface TextView {
  readonly text: string;
  /** The first and last position of each character in the other text; absent when both are the same. */
  readonly origin?: { readonly from: readonly number[]; readonly to: readonly number[] };
}

/** Texts may be escaped several times, as JSON within JSON. */
const ROUNDS = 10;

/** Names of characters in HTML, except letters. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [
    "amp& lt< gt> quot\" apos' excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; equals= quest?",
    "commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} tilde~",
  ]
    .flatMap((line) => line.split(" "))
    .map((word) => [word.slice(0, -1), word.slice(-1)]),
);
const BLANK_NAMES = ["nbsp", "Tab", "NewLine"];

/** Escapes of HTML, of JSON and programming languages, and of addresses. */
const ESCAPES =
  /&(?:#(?<decimal>\d{1,7})|#[xX](?<hex>[\da-fA-F]{1,6})|(?<name>[A-Za-z]{2,7}));|\\(?:u(?<unit>[\da-fA-F]{4})|u\{(?<point>[\da-fA-F]{1,6})\}|x(?<byte>[\da-fA-F]{2})|(?<short>["'`\\/]|[bfn]|[rtv0]))|(?<bytes>%[0-7][\da-fA-F]|(?:%[89a-fA-F][\da-fA-F])+)/g;

const BLANKS = new RegExp(`(?:${UNPRINTABLE.source}|[\\s+])+`, "gu");

/** Removes escapes until there are none. */
export function unescape(text: string): TextView {
  let view: TextView = { text };
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = replace(view, ESCAPES, decodeEscape);
    if (next.text === view.text) break;
    view = next;
  }
  return view;
}

/** Replaces each run of blanks, line breaks and invisible characters by one blank. In forms, `+` is one too. */
export function withBlanks(view: TextView): TextView {
  return replace(view, BLANKS, () => " ");
}

export function replace(
  view: TextView,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string,
): TextView {
  const { text } = view;
  const [from, to]: [number[], number[]] = [[], []];
  let [changed, end] = ["", 0];
  const keep = (until: number) => {
    changed += text.slice(end, until);
    for (let at = end; at < until; at += 1) {
      from.push(findStart(view, at));
      to.push(findEnd(view, at));
    }
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    const replacement = replace(match);
    changed += replacement;
    end = match.index + match[0].length;
    for (let index = 0; index < replacement.length; index += 1) {
      from.push(findStart(view, match.index));
      to.push(findEnd(view, end - 1));
    }
  }
  if (end === 0) return view;
  keep(text.length);
  return { text: changed, origin: { from, to } };
}

/** The span of a part in the text from which the view was derived. */
export function locateSpan(view: TextView, at: number, length: number): readonly [from: number, to: number] {
  return [findStart(view, at), findEnd(view, at + length - 1)];
}

const findStart = ({ origin }: TextView, at: number): number => (origin ? (origin.from[at] ?? 0) : at);
const findEnd = ({ origin }: TextView, at: number): number => (origin ? (origin.to[at] ?? 0) : at + 1);

function decodeEscape({ 0: whole, groups = {} }: RegExpExecArray): string {
  const { decimal, hex, name, unit, point, byte, short, bytes } = groups;
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll("%", ""), "hex").toString();
  if (name !== undefined) return BLANK_NAMES.includes(name) ? " " : (NAMES.get(name) ?? whole);
  if (short !== undefined) return /\w/.test(short) ? " " : short;
  const code =
    decimal === undefined ? Number.parseInt(hex ?? unit ?? point ?? byte ?? "", 16) : Number(decimal);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
}
