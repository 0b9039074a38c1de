/** Makes texts safe for terminals, pipes, logs, pages and shells: no text may contain commands for its reader, or look like another. */
import {
  escapeSign,
  KEPT,
  replaceUnprintable,
  showLines,
  stripControls,
  UNPRINTABLE,
} from "../client/printable.js";

interface Printing {
  /** Whether colors of `picocolors` are kept. */
  readonly colors: boolean;
  /** Whether a CI runner reads the output and interprets some lines as commands. */
  readonly ci: boolean;
  /** Whether the text consists of commands for the runner, with their values escaped. */
  readonly commands?: boolean;
}

/** Colors and weights of `picocolors`, except those that hide text. */
const COLOR = "\\u001b\\[(?:[0-4]|2[1-4]|29|3[0-79]|4[0-79]|9[0-7]|10[0-7])m";
const COLORED = new RegExp(`(${COLOR})|(${KEPT})|${UNPRINTABLE.source}`, "gu");
const SHOWN = new RegExp(`(${COLOR}|[\\t\\n]+)|[^\\t\\n\\u001b]+|\\u001b`, "gu");
/** Command of GitHub, `::name ...::`, also after blanks. */
const COMMAND = new RegExp(`^((?:[^\\S\\n]|${COLOR})*)::`, "gmu");
/** Commands of GitHub, Azure Pipelines and TeamCity anywhere in a line: `##[name]`, `##vso[...]`, `##teamcity[...]`. */
const BRACKETED = /#(?=#\w*\[)/g;

/** Reports whether a CI runner reads the output. */
export function isCi({ CI, GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION }: NodeJS.ProcessEnv): boolean {
  return (
    [CI, GITHUB_ACTIONS, TF_BUILD].some((value) => value && value !== "false") || Boolean(TEAMCITY_VERSION)
  );
}

/** Makes a text of any number of lines safe to print. */
export function makePrintable(text: string, { colors, ci, commands = false }: Printing): string {
  const tame = text
    .replaceAll("\r\n", "\n")
    .replace(COLORED, (sign, color?: string, kept?: string) =>
      sign === "\n" || sign === "\t" || kept !== undefined || (color !== undefined && colors)
        ? sign
        : escapeSign(sign),
    );
  if (!ci) return tame;
  const broken = tame.replace(BRACKETED, "# ");
  return commands ? broken : broken.replace(COMMAND, "$1: :");
}

/** Shows what a text for people contains: see {@link stripControls}. Colors, tabs and line breaks stay. */
export function makeVisible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(SHOWN, (part, kept?: string) => kept ?? stripControls(part));
}

/** Returns a text that controls no terminal, whoever prints it. */
export function makeTame(text: string): string {
  return makePrintable(makeVisible(text), { colors: false, ci: false });
}

/** Joins the lines of a text, but keeps line breaks at its beginning and end. */
export function makeOneLine(text: string): string {
  const [, before = "", line = "", after = ""] = /^(\n*)([^]*?)(\n*)$/.exec(text) ?? [];
  return `${before}${line.replace(/\s*\n\s*/g, " ")}${after}`;
}

/** Returns JSON that printing does not change. */
export function formatJson(value: unknown, indent = 2): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Escapes a JSON text so that printing does not change it. */
export function escapeJson(text: string): string {
  return escapeWith(text, (sign) =>
    [...Array(sign.length).keys()].map((at) => formatHex(sign.charCodeAt(at))).join(""),
  );
}

/** Escapes a text in double quotes. JSON and YAML share the escapes except beyond the basic plane. */
export function escapeWith(text: string, escape: (sign: string) => string): string {
  const broken = text.replace(BRACKETED, formatHex("#".charCodeAt(0)));
  return replaceUnprintable(broken, (sign) => (/[\t\n\r]/.test(sign) ? sign : escape(sign)));
}

export function formatHex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** Reports whether printing keeps a text unchanged. */
export function isTame(text: string, ci: boolean): boolean {
  return makePrintable(text, { colors: false, ci }) === text.replaceAll("\r\n", "\n");
}

const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns a text in quotes, with escapes for what does not show. @param ascii escape every other letter too */
export function quoteText(text: string, ascii: boolean = false): string {
  return escapeText(JSON.stringify(text), ascii);
}

/** Escapes what does not show in a JSON text. */
export function escapeText(json: string, ascii: boolean = false): string {
  const shown = (ascii ? json.replace(/[^ -~]+/g, escapeSign) : stripControls(json)).replace(
    BRACKETED,
    escapeSign,
  );
  return shown;
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
  return !isTame(line, true) || showLines(line) !== line;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * Escapes a text for HTML, SVG and XML 1.0, for elements and attributes, on one line. What XML forbids is among what has an
 * escape.
 */
export function escapeMarkup(text: string): string {
  return text.replace(/[^\t\n\r]+/g, stripControls).replace(/[&<>"'\n\r]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** Joins words, in quotes where a shell would split or change them. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word);
}

/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
