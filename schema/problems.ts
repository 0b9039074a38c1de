/** What is wrong with a value, as data; and zod's issues turned into such problems, in plain words. */
import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";

export type PropertyPath = readonly (string | number)[];

/** What can be wrong with a workspace file. */
export const problemCodes = [
  "unreadable",
  "syntax",
  "too-large",
  "duplicate-key",
  "declared-twice",
  "unknown-property",
  "unknown-name",
  "required",
  "wrong-type",
  "not-allowed-value",
  "placeholder",
  "include",
  "overlay",
  "template",
  "cycle",
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** One thing wrong with a value: where in the value, and what to do about it. */
export interface Problem {
  readonly path: PropertyPath;
  readonly message: string;
  readonly code?: ProblemCode;
  /** The problem concerns the key itself, not its value. */
  readonly atKey?: boolean;
}

/** The nearest of the words to what was written, or undefined when none is near enough to be a slip. */
export function didYouMean(written: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const best = closest(
    written.toLowerCase(),
    words.map((w) => w.toLowerCase()),
  );
  const word = words.find((w) => w.toLowerCase() === best);
  return word !== undefined && distance(written.toLowerCase(), best) <= Math.max(2, written.length / 3)
    ? word
    : undefined;
}

/** `. Did you mean "x"?`, or an empty text. */
export function hint(written: string, words: readonly string[]): string {
  const word = didYouMean(written, words);
  return word === undefined ? "" : `. Did you mean "${word}"?`;
}

/** `actions[0].triggerTime` */
export function formatPath(path: PropertyPath): string {
  return path
    .map((part, i) => {
      if (typeof part === "number") return `[${part}]`;
      const plain = /^[A-Za-z_$][\w$-]*$/.test(part);
      return plain ? (i === 0 ? part : `.${part}`) : `["${part}"]`;
    })
    .join("");
}

/**
 * Turns a failed validation into problems.
 * @param knownKeys the keys allowed at a path, for "did you mean"
 */
export function problemsOf(
  error: z.ZodError,
  knownKeys: (path: PropertyPath) => readonly string[] = () => [],
): Problem[] {
  return error.issues.flatMap((issue) => problemsOfIssue(issue, [], knownKeys));
}

function problemsOfIssue(
  issue: z.core.$ZodIssue,
  base: PropertyPath,
  knownKeys: (path: PropertyPath) => readonly string[],
): Problem[] {
  const path = [...base, ...(issue.path as (string | number)[])];
  switch (issue.code) {
    case "unrecognized_keys": // zod gives the path of the object, not of the key
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `unknown property "${key}"${hint(key, knownKeys(path))}`,
        atKey: true,
      }));
    case "invalid_union": {
      const branch = nearestBranch(issue.errors);
      if (branch === undefined) return [{ path, message: `must be ${expectedOf(issue.errors)}` }];
      return branch.flatMap((inner) => problemsOfIssue(inner, path, knownKeys));
    }
    default:
      return [{ path, message: wordsOf(issue) }];
  }
}

/** The one alternative of a union that failed deeper than at its own top, if there is exactly one. */
function nearestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const deeper = branches.filter((issues) =>
    issues.some((i) => i.path.length > 0 || (i.code !== "invalid_type" && i.code !== "invalid_union")),
  );
  return deeper.length === 1 ? deeper[0] : undefined;
}

function expectedOf(branches: readonly z.core.$ZodIssue[][]): string {
  const kinds = branches.flat().map((i) => (i.code === "invalid_type" ? kindWord(i.expected) : wordsOf(i)));
  return [...new Set(kinds)].join(" or ");
}

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type": {
      const input = "input" in issue ? issue.input : null;
      if (input === undefined) return "is required";
      const unquoted =
        issue.expected === "string" && (typeof input === "number" || typeof input === "boolean");
      return `must be ${kindWord(issue.expected)}${unquoted ? ": write it in quotes" : ""}`;
    }
    case "invalid_value": {
      const words = issue.values.map(String);
      if ("input" in issue && issue.input === undefined)
        return `is required: ${words.length === 1 ? "" : "one of "}${words.join(", ")}`;
      const written = "input" in issue && typeof issue.input === "string" ? issue.input : undefined;
      const list = words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(", ")}`;
      return list + (written === undefined ? "" : hint(written, words));
    }
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    case "invalid_format":
      return issue.message.startsWith("must") ? issue.message : `must be a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

function kindWord(expected: string): string {
  const words: Record<string, string> = {
    string: "a text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "a map",
    record: "a map",
    null: "null",
  };
  return words[expected] ?? expected;
}
