/** What is done to every text on its way to a terminal, a pipe or a log: nothing in it may command whoever reads it. */
import { UNPRINTABLE } from "../../client/printable.js";

export interface Printing {
  /** Whether our own colors pass. */
  readonly colors: boolean;
  /** Whether a CI runner reads, which takes some lines for commands. */
  readonly ci: boolean;
  /** The text is made of commands for the runner, escaped as it demands. */
  readonly commands?: boolean;
}

/** The colors and weights of `picocolors`, but none that hides a text. */
const COLOR = "\\u001b\\[(?:[0-4]|2[1-4]|29|3[0-79]|4[0-79]|9[0-7]|10[0-7])m";
const COLORED = new RegExp(`(${COLOR})|${UNPRINTABLE.source}`, "gu");
/** GitHub takes `::name ...::` for a command, after blanks too; ... */
const COMMAND = new RegExp(`^((?:[^\\S\\n]|${COLOR})*)::`, "gmu");
/** ... GitHub, Azure Pipelines and TeamCity `##[name]`, `##vso[...]`, `##teamcity[...]`, wherever it stands. */
const BRACKETED = /#(?=#\w*\[)/g;

/** Whether a CI runner reads what is printed. */
export function isCi({ CI, GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION }: NodeJS.ProcessEnv): boolean {
  return (
    [CI, GITHUB_ACTIONS, TF_BUILD].some((value) => value && value !== "false") || Boolean(TEAMCITY_VERSION)
  );
}

/** A text of any number of lines, as it is printed. */
export function printed(text: string, { colors, ci, commands = false }: Printing): string {
  const tame = text
    .replaceAll("\r\n", "\n")
    .replace(COLORED, (sign, color?: string) =>
      sign === "\n" || sign === "\t" || (color !== undefined && colors) ? sign : "\uFFFD",
    );
  if (!ci) return tame;
  const broken = tame.replace(BRACKETED, "# ");
  return commands ? broken : broken.replace(COMMAND, "$1: :");
}

/** One line: breaks at its ends are the writer's own, one within it came with a name. */
export function oneLine(text: string): string {
  const [, before = "", line = "", after = ""] = /^(\n*)([^]*?)(\n*)$/.exec(text) ?? [];
  return `${before}${line.replace(/\s*\n\s*/g, " ")}${after}`;
}

/** JSON that says the same and that printing leaves as it is. */
export function jsonText(value: unknown, indent = 2): string {
  return escapedJson(JSON.stringify(value, null, indent));
}

/** The same for a text that is JSON already. */
export function escapedJson(text: string): string {
  return escapedWith(text, (sign) =>
    [...Array(sign.length).keys()].map((at) => hex(sign.charCodeAt(at))).join(""),
  );
}

/** Texts in double quotes, with escapes that JSON and YAML share but for signs beyond the first plane. */
export function escapedWith(text: string, escape: (sign: string) => string): string {
  return text
    .replace(BRACKETED, hex("#".charCodeAt(0)))
    .replace(UNPRINTABLE, (sign) => (/[\t\n\r]/.test(sign) ? sign : escape(sign)));
}

export function hex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** Whether printing would change a text. */
export function isTame(text: string, ci: boolean): boolean {
  return printed(text, { colors: false, ci }) === text.replaceAll("\r\n", "\n");
}
