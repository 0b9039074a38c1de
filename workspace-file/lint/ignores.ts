/**
 * Comments that suppress findings: `# lint-ignore: code, code -- reason`, on the line or above it. With `expires 2026-12-31` after
 * the codes, only until that day.
 */
import { Lexer } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../resources/definition/problems.js";
import type { Location, Source } from "../syntax/source.js";
import type { LintRuleFacts } from "./rule.js";

export interface Ignore {
  readonly codes: readonly string[];
  readonly reason: string;
  /** Last day (UTC) on which it applies, as written. */
  readonly expires: string | undefined;
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
    description: "A comment ignores a finding without giving a reason.",
    remedy: "Write the reason after two dashes: `# lint-ignore: code -- reason`.",
  },
  {
    code: "ignore-expired",
    severity: "warning",
    description:
      "A comment ignores a finding until a day that has passed, or that does not exist. The finding is reported again.",
    remedy:
      "Remove the cause of the finding and the comment, or extend the date: `# lint-ignore: code expires 2026-12-31 -- reason`.",
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
    description: "A comment ignores a finding that is not on its line.",
    remedy: "Remove the comment, or move it to the line of the finding or the line above.",
  },
];

export interface IgnoreFinding {
  readonly code: string;
  readonly message: string;
  readonly place: Location;
}

/** The codes of a run. */
export interface Codes {
  /** All codes, for "did you mean". */
  readonly known: readonly string[];
  readonly isKnown: (code: string) => boolean;
  /** Codes of the rules that ran. */
  readonly active: readonly string[];
}

/** Suppressed findings of a file, and mistakes in the comments. */
export class Ignores {
  private readonly used = new Set<string>();
  private readonly byLine = new Map<string, Ignore[]>();

  /** @param today day from which expiry is judged, such as 2026-12-31 */
  constructor(
    private readonly ignores: readonly Ignore[],
    private readonly today: string,
  ) {
    for (const ignore of ignores) {
      const line = buildLineKey(ignore.place.file, ignore.line);
      this.byLine.set(line, [...(this.byLine.get(line) ?? []), ignore]);
    }
  }

  /** Reports whether a finding is suppressed. */
  covers(code: string, place: Location): boolean {
    const here = this.byLine.get(buildLineKey(place.file, place.line)) ?? [];
    const found = here.filter((ignore) => ignore.codes.includes(code));
    for (const ignore of found) this.used.add(use(ignore, code));
    return found.some((ignore) => this.expiry(ignore) === undefined);
  }

  /** Explains why a comment no longer applies, if so. */
  private expiry({ expires }: Ignore): string | undefined {
    if (expires === undefined || (isDay(expires) && expires >= this.today)) return undefined;
    if (!isDay(expires)) return `"${expires}" is not a date: write it like 2026-12-31`;
    return `this expired on ${expires}: remove the cause, or extend the date`;
  }

  /** Returns the mistakes in the comments. Must be called after `covers` was called for every finding. */
  complaints({ known, isKnown, active }: Codes): IgnoreFinding[] {
    return this.ignores.flatMap((ignore) => {
      const { place, codes, reason } = ignore;
      const found: IgnoreFinding[] = [];
      if (codes.length === 0)
        found.push({ code: "ignore-of-unknown-code", place, message: "add the code to ignore" });
      if (reason === "")
        found.push({
          code: "ignore-without-reason",
          place,
          message: "give the reason after two dashes: -- reason",
        });
      const expired = this.expiry(ignore);
      if (expired !== undefined) found.push({ code: "ignore-expired", place, message: expired });
      for (const code of codes) {
        if (!isKnown(code)) {
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

function buildLineKey(file: string, line: number): string {
  return `${line} ${file}`;
}

function use({ place }: Ignore, code: string): string {
  return `${place.file}:${place.line}:${place.column} ${code}`;
}

const SCALAR = "\u001f";
const pattern = /^#\s*lint-ignore(?=[:\s]|$):?(.*?)(?:--(.*))?$/;

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Returns the comments of a text that suppress findings. */
export function listIgnoresIn(source: Source): Ignore[] {
  if (!source.text.includes("lint-ignore")) return [];
  const lines = source.text.split("\n");
  const ignores: Ignore[] = [];
  let offset = 0;
  let before = "";
  for (const lexeme of new Lexer().lex(source.text)) {
    // The text of a scalar may begin like a comment. The lexer marks it.
    const match = before === SCALAR ? null : pattern.exec(lexeme);
    if (match) {
      const place = source.locate(offset);
      const words = (match[1] ?? "").split(/[\s,]+/).filter((word) => word !== "");
      const last = words.indexOf("expires");
      const codes = last < 0 ? words : words.slice(0, last);
      const expires = last < 0 ? undefined : words.slice(last + 1).join(" ");
      ignores.push({
        codes,
        expires,
        reason: (match[2] ?? "").trim(),
        line: findIgnoredLine(place, lines),
        place,
      });
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
function findIgnoredLine({ line, column }: Location, lines: readonly string[]): number {
  if ((lines[line - 1] ?? "").slice(0, column - 1).trim() !== "") return line;
  const next = lines.findIndex(
    (text, index) => index >= line && text.trim() !== "" && !text.trim().startsWith("#"),
  );
  return next < 0 ? line : next + 1;
}
