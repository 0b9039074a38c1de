/** Makes texts safe for terminals, pipes and logs: no text may contain commands for its reader. */
import { UNPRINTABLE } from "../../client/printable.js";

export interface Printing {
  /** Whether colors of `picocolors` are kept. */
  readonly colors: boolean;
  /** Whether a CI runner reads the output and interprets some lines as commands. */
  readonly ci: boolean;
  /** Whether the text consists of commands for the runner, with their values escaped. */
  readonly commands?: boolean;
}

/** Colors and weights of `picocolors`, except those that hide text. */
const COLOR = "\\u001b\\[(?:[0-4]|2[1-4]|29|3[0-79]|4[0-79]|9[0-7]|10[0-7])m";
const COLORED = new RegExp(`(${COLOR})|${UNPRINTABLE.source}`, "gu");
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
    .replace(COLORED, (sign, color?: string) =>
      sign === "\n" || sign === "\t" || (color !== undefined && colors) ? sign : "\uFFFD",
    );
  if (!ci) return tame;
  const broken = tame.replace(BRACKETED, "# ");
  return commands ? broken : broken.replace(COMMAND, "$1: :");
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
  return text
    .replace(BRACKETED, formatHex("#".charCodeAt(0)))
    .replace(UNPRINTABLE, (sign) => (/[\t\n\r]/.test(sign) ? sign : escape(sign)));
}

export function formatHex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** Reports whether printing keeps a text unchanged. */
export function isTame(text: string, ci: boolean): boolean {
  return makePrintable(text, { colors: false, ci }) === text.replaceAll("\r\n", "\n");
}
