/** Problems of values, and the conversion of zod's issues to such problems. */
import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { formatCount } from "../../diff/format-count.js";
import { formatPath, type PropertyPath } from "../../diff/structural-diff.js";
import { isPlain } from "../../diff/values.js";
import type { ProblemCode } from "./problem-codes.js";

export { formatPath, type ProblemCode, type PropertyPath };

/** A problem of a value: its path, and a message with the remedy. */
export interface Problem {
  readonly path: PropertyPath;
  readonly message: string;
  readonly code: ProblemCode;
  /** The problem concerns the key itself, not its value. */
  readonly atKey?: boolean;
}

/** The word that was most likely meant, or undefined when none is similar enough to be a typing error. */
export function didYouMean(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  let [best, nearest]: [string | undefined, number] = [undefined, Infinity];
  for (const word of words) {
    const known = word.toLowerCase();
    const count = countTypos(lower, known);
    // A word without a common letter is another word, such as B for A.
    const isSimilar =
      count <= countAllowedTypos(lower, known) && count < Math.max(lower.length, known.length);
    if (count < nearest && isSimilar) [best, nearest] = [word, count];
  }
  return best ?? findAbbreviated(written, words);
}

/** The number of missing, wrong and superfluous letters. Two swapped letters count as one. */
function countTypos(written: string, word: string): number {
  if (written.length === word.length) {
    const at = [...written].findIndex((letter, index) => letter !== word[index]);
    const swapped = written.slice(0, at) + written[at + 1] + written[at] + written.slice(at + 2);
    if (at >= 0 && swapped === word) return 1;
  }
  return distance(written, word);
}

/** The number of typing errors up to which a word counts as similar. A short word is another word after few changes. */
function countAllowedTypos(written: string, word: string): number {
  const [name = "", domain] = written.split("@");
  // Addresses of one organization are similar anyway: only the names count.
  const { length } = domain !== undefined && word.endsWith(`@${domain}`) ? name : written;
  return length <= 3 ? 1 : Math.min(4, Math.max(2, length / 3));
}

/** The only word that has parts more or less than the written one (ON_PUSH for ON_EVERY_PUSH), or that begins with it (httpRepo). */
function findAbbreviated(written: string, words: readonly string[]): string | undefined {
  const parts = splitName(written);
  const alike = words.filter(
    (word) =>
      isWithin(parts, splitName(word)) ||
      isWithin(splitName(word), parts) ||
      (written.length >= 4 && word.toLowerCase().startsWith(written.toLowerCase())),
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** Splits `ON_EVERY_PUSH`, `release-engineers` or `refName` into words. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.length > 1 && some.length < all.length && some.every((part) => all.includes(part));
}

/** Returns `. Did you mean "x"?`, or an empty text. */
export function formatHint(written: string, words: readonly string[]): string {
  const word = didYouMean(written, words);
  return word === undefined ? "" : `. Did you mean "${word}"?`;
}

/** Returns the remedy for a name that does not exist: `Did you mean "x"?`, or what to do if none is similar. */
export function suggestOr(written: string, words: readonly string[], otherwise: string): string {
  const word = didYouMean(written, words);
  return word === undefined ? otherwise : `Did you mean "${word}"?`;
}

/**
 * Converts a failed validation to problems.
 * @param knownKeys the keys allowed at a path, for "did you mean"
 */
export function listProblems(
  error: z.ZodError,
  knownKeys: (path: PropertyPath) => readonly string[] = () => [],
): Problem[] {
  const problems = error.issues.flatMap((issue) => listProblemsOfIssue(issue, [], knownKeys));
  return problems.filter((problem) => !isMisspelled(problem, problems, knownKeys));
}

/** Says in one line what is first wrong in a content, such as `guards.maxDeletes must be a number`. */
export function describeInvalid(error: z.ZodError): string {
  const [problem] = listProblems(error);
  const place = problem === undefined || problem.path.length === 0 ? "its content" : formatPath(problem.path);
  // Nobody writes such a file, so nobody corrects it.
  const message = problem?.message ?? "is something else";
  // Such a message contains the name.
  if (problem?.code === "unknown-property") return message;
  return `${place} ${message.replace(/: write it with(out)? quotes|: write it in quotes/, "")}`;
}

/** Whether a missing property is present under a misspelled name, which is reported as the only problem. */
function isMisspelled(
  { code, path }: Problem,
  problems: readonly Problem[],
  knownKeys: (path: PropertyPath) => readonly string[],
): boolean {
  if (code !== "required" || path.length === 0) return false;
  const parent = path.slice(0, -1);
  return problems.some(
    (other) =>
      other.code === "unknown-property" &&
      other.path.length === path.length &&
      formatPath(other.path.slice(0, -1)) === formatPath(parent) &&
      didYouMean(String(other.path.at(-1)), knownKeys(parent)) === path.at(-1),
  );
}

/** What follows on an unknown property that resembles none. */
export const REMOVE_IT = ": remove it, or correct its name";

function listProblemsOfIssue(
  issue: z.core.$ZodIssue,
  base: PropertyPath,
  knownKeys: (path: PropertyPath) => readonly string[],
): Problem[] {
  const path = [...base, ...(issue.path as (string | number)[])];
  switch (issue.code) {
    case "unrecognized_keys": // the path is that of the object, not of the key
      return issue.keys.map((key) => ({
        path: [...path, key],
        code: "unknown-property",
        message: `unknown property "${key}"${formatHint(key, knownKeys(path)) || REMOVE_IT}`,
        atKey: true,
      }));
    case "invalid_key":
      return issue.issues.map((inner) => ({
        path,
        code: getIssueCode(inner),
        message: formatMessage(inner),
        atKey: true,
      }));
    case "invalid_union": {
      const branch = findNearestBranch(issue.errors);
      if (branch === undefined) return [createUnionProblem(path, issue)];
      return branch.flatMap((inner) => listProblemsOfIssue(inner, path, knownKeys));
    }
    default:
      return [{ path, code: getIssueCode(issue), message: formatMessage(issue) }];
  }
}

/** The problem of a value that fits no alternative: lists what each one expects and, for a text, the most similar allowed value. */
function createUnionProblem(path: PropertyPath, issue: z.core.$ZodIssueInvalidUnion): Problem {
  const input = "input" in issue ? issue.input : null;
  if (input === undefined) return { path, code: "required", message: "is required" };
  const words = issue.errors.flat().flatMap((i) => (i.code === "invalid_value" ? i.values.map(String) : []));
  const near = typeof input === "string" ? formatHint(input, words) : "";
  const code = words.length > 0 && typeof input === "string" ? "not-allowed-value" : "wrong-type";
  return { path, code, message: `must be ${describeExpected(issue.errors)}${near}` };
}

/** The issues of the only alternative that failed below its own top level, if there is exactly one. */
function findNearestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const deeper = branches.filter((issues) =>
    issues.some((i) => i.path.length > 0 || (i.code !== "invalid_type" && i.code !== "invalid_union")),
  );
  return deeper.length === 1 ? deeper[0] : undefined;
}

function describeExpected(branches: readonly z.core.$ZodIssue[][]): string {
  const kinds = branches
    .flat()
    .map((i) =>
      i.code === "invalid_type" ? formatKindWord(i.expected) : formatMessage(i).replace(/^must be /, ""),
    );
  return [...new Set(kinds)].join(" or ");
}

function getIssueCode(issue: z.core.$ZodIssue): ProblemCode {
  if ("input" in issue && issue.input === undefined && issue.code.startsWith("invalid_")) return "required";
  switch (issue.code) {
    case "invalid_type":
      return "wrong-type";
    case "too_small":
    case "too_big":
      return "out-of-range";
    case "invalid_format":
      return "wrong-format";
    default:
      return "not-allowed-value";
  }
}

/** Reports whether a map is a text like `echo a: b` without quotes. */
function isSplitText(input: unknown): boolean {
  const [key, ...others] = isPlain(input) ? Object.keys(input) : [];
  return key?.includes(" ") === true && others.length === 0;
}

function formatMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type": {
      const input = "input" in issue ? issue.input : null;
      if (input === undefined) return issue.message.startsWith("is required") ? issue.message : "is required";
      const unquoted =
        issue.expected === "string" && (typeof input === "number" || typeof input === "boolean");
      const quoted =
        typeof input === "string" &&
        ((issue.expected === "boolean" && /^(true|false)$/.test(input)) ||
          (/^(number|int)$/.test(issue.expected) && /^-?\d+(\.\d+)?$/.test(input)));
      if (issue.expected === "string" && isSplitText(input))
        return "must be a string: write it in quotes, because it contains a colon before a space";
      const remedy = unquoted ? ": write it in quotes" : quoted ? ": write it without quotes" : "";
      return `must be ${formatKindWord(issue.expected)}${remedy}`;
    }
    case "invalid_value": {
      const words = issue.values.map(String);
      if ("input" in issue && issue.input === undefined)
        return `is required: ${words.length === 1 ? "" : "one of "}${words.join(", ")}`;
      const written = "input" in issue && typeof issue.input === "string" ? issue.input : undefined;
      const list = words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(", ")}`;
      if (written !== undefined && words.includes(written)) return `${list}: write it without quotes`;
      return list + (written === undefined ? "" : formatHint(written, words));
    }
    case "too_small":
      if (issue.origin === "string") return "must not be empty";
      if (issue.origin === "array") return `must have at least ${formatItemCount(issue.minimum)}`;
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return issue.origin === "array"
        ? `must have at most ${formatItemCount(issue.maximum)}`
        : `must be at most ${issue.maximum}`;
    case "invalid_format":
      return issue.message.startsWith("must")
        ? issue.message
        : `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    default:
      return issue.message;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "an e-mail address, such as ann@example.com",
  regex: "in another form",
  datetime: "a date and time, such as 2026-01-31T08:00:00Z",
  base64: "a Base64 string, such as aGVsbG8=",
};

const formatItemCount = (count: number | bigint) => formatCount(count, "item");

/** A noun with its article: `an action`, `a pipeline`. */
export function addArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function formatKindWord(expected: string): string {
  const words: Record<string, string> = {
    string: "a string",
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

/** The keys that a schema and its alternatives allow at a path, for "did you mean". */
export function listKeysAt(schema: z.core.$ZodType, path: PropertyPath): string[] {
  const def = (schema as z.ZodType).def as unknown as SchemaDef;
  const inner = def.innerType;
  if (inner !== undefined) return listKeysAt(inner, path);
  if (def.options !== undefined) return def.options.flatMap((option) => listKeysAt(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return Object.keys(def.shape ?? {});
  const below =
    typeof step === "number"
      ? def.element
      : Object.hasOwn(def.shape ?? {}, step)
        ? def.shape?.[step]
        : (def.valueType ?? def.catchall);
  return below === undefined ? [] : listKeysAt(below, rest);
}

/** The parts of zod's schemas that lead to nested schemas. */
interface SchemaDef {
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly catchall?: z.core.$ZodType;
}
