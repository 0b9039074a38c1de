/** Comments that suppress findings: `# lint-ignore: code, code -- reason`, on the line or above it. */
import { Lexer } from "yaml";
import { didYouMean } from "../../provider/definition/problems.js";
import type { Location, Source } from "../syntax/source.js";
import type { LintRuleFacts } from "./rule.js";

export interface Ignore {
  readonly codes: readonly string[];
  readonly reason: string;
  /** Line to which it applies. */
  readonly line: number;
  /** Location of the comment. */
  readonly place: Location;
}

/** Codes for mistakes in these comments. They cannot be suppressed. */
export const ignoreRules: readonly LintRuleFacts[] = [
  {
    code: "ignore-without-reason",
    severity: "warning",
    description: "A comment ignores a finding and does not say why.",
    remedy: "Write the reason after two dashes: `# lint-ignore: code -- reason`.",
  },
  {
    code: "ignore-of-unknown-code",
    severity: "warning",
    description: "A comment ignores a code that does not exist.",
    remedy: "`workspacectl lint --list-rules` lists the codes.",
  },
  {
    code: "unused-ignore",
    severity: "warning",
    description: "A comment ignores what is not found on its line.",
    remedy: "Take the comment out, or put it on the line of the finding, or on the one above.",
  },
];

export interface IgnoreFinding {
  readonly code: string;
  readonly message: string;
  readonly place: Location;
}

/** Suppressed findings of a file, and mistakes in the comments. */
export class Ignores {
  private readonly used = new Set<string>();
  private readonly byLine = new Map<string, Ignore[]>();

  constructor(private readonly ignores: readonly Ignore[]) {
    for (const ignore of ignores) {
      const line = lineKey(ignore.place.file, ignore.line);
      this.byLine.set(line, [...(this.byLine.get(line) ?? []), ignore]);
    }
  }

  /** Reports whether a finding is suppressed. */
  covers(code: string, place: Location): boolean {
    const here = this.byLine.get(lineKey(place.file, place.line)) ?? [];
    const found = here.filter((ignore) => ignore.codes.includes(code));
    for (const ignore of found) this.used.add(use(ignore, code));
    return found.length > 0;
  }

  /**
   * Returns the mistakes in the comments. Must be called after `covers` was called for every finding.
   * @param known all codes
   * @param active codes of the rules that ran
   */
  complaints(known: readonly string[], active: readonly string[]): IgnoreFinding[] {
    return this.ignores.flatMap((ignore) => {
      const { place, codes, reason } = ignore;
      const found: IgnoreFinding[] = [];
      if (codes.length === 0)
        found.push({ code: "ignore-of-unknown-code", place, message: "name the code that is to be ignored" });
      if (reason === "")
        found.push({ code: "ignore-without-reason", place, message: "say why, after two dashes: -- reason" });
      for (const code of codes) {
        if (!known.includes(code)) {
          const near = didYouMean(code, known);
          const meant = near === undefined ? "" : `. Did you mean ${near}?`;
          found.push({ code: "ignore-of-unknown-code", place, message: `there is no code ${code}${meant}` });
        } else if (active.includes(code) && !this.used.has(use(ignore, code)))
          found.push({ code: "unused-ignore", place, message: `nothing on this line is ${code}` });
      }
      return found;
    });
  }
}

function lineKey(file: string, line: number): string {
  return `${line} ${file}`;
}

function use({ place }: Ignore, code: string): string {
  return `${place.file}:${place.line}:${place.column} ${code}`;
}

const SCALAR = "\u001f";
const pattern = /^#\s*lint-ignore(?=[:\s]|$):?(.*?)(?:--(.*))?$/;

/** Returns the comments of a text that suppress findings. */
export function ignoresIn(source: Source): Ignore[] {
  if (!source.text.includes("lint-ignore")) return [];
  const lines = source.text.split("\n");
  const ignores: Ignore[] = [];
  let offset = 0;
  let before = "";
  for (const lexeme of new Lexer().lex(source.text)) {
    // The text of a scalar may begin like a comment. The lexer marks it.
    const match = before === SCALAR ? null : pattern.exec(lexeme);
    if (match) {
      const place = source.place(offset);
      const codes = (match[1] ?? "").split(/[\s,]+/).filter((code) => code !== "");
      ignores.push({ codes, reason: (match[2] ?? "").trim(), line: lineOf(place, lines), place });
    }
    if (!isControl(lexeme)) offset += lexeme.length;
    before = lexeme;
  }
  return ignores;
}

/** Reports whether a lexeme is a mark of the lexer without text. */
function isControl(lexeme: string): boolean {
  return lexeme === "\u0002" || lexeme === "\u0018" || lexeme === SCALAR;
}

/** Returns the line to which a comment applies: its own, or the next one that contains more than a comment. */
function lineOf({ line, column }: Location, lines: readonly string[]): number {
  if ((lines[line - 1] ?? "").slice(0, column - 1).trim() !== "") return line;
  const next = lines.findIndex(
    (text, index) => index >= line && text.trim() !== "" && !text.trim().startsWith("#"),
  );
  return next < 0 ? line : next + 1;
}
