/** Parsers of option values. Each one names the allowed values when it rejects one. */
import { InvalidArgumentError } from "commander";

export function parseWholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };
}

/** Parses an option that may be repeated. */
export function parseRepeatable<T extends string>(allowed?: readonly T[]) {
  return (text: string, before: readonly T[] = []): readonly T[] => {
    if (allowed && !allowed.includes(text as T))
      throw new InvalidArgumentError(`It must be one of ${allowed.join(", ")}.`);
    return [...before, text as T];
  };
}

/** Parses a list such as `projects,pipelines`. */
export function splitCommas(text: string): readonly string[] {
  return text.split(",").map((word) => word.trim());
}

/** Parses a list such as `changed,deleted`, of the allowed values only. */
export function parseSomeOf<T extends string>(allowed: readonly T[]) {
  return (text: string): readonly T[] => {
    const values = splitCommas(text);
    const unknown = values.find((value) => !allowed.includes(value as T));
    if (unknown === undefined) return values as T[];
    throw new InvalidArgumentError(`"${unknown}" is none of ${allowed.join(", ")}.`);
  };
}

/** Parses what {@link parseSomeOf} parses, and `none` for the empty list. */
export function parseSomeOfOrNone<T extends string>(allowed: readonly T[]) {
  const parse = parseSomeOf(allowed);
  return (text: string): readonly T[] => (text === "none" ? [] : parse(text));
}

/** Parses the fingerprint of a plan. A part of one is not accepted, because another plan may begin in the same way. */
export function parseApprovedFingerprint(text: string): string {
  const [, digits] = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined)
    throw new InvalidArgumentError(
      "It must be the whole fingerprint that preview prints: sha256: and 64 hexadecimal digits.",
    );
  return `sha256:${digits.toLowerCase()}`;
}

/** Parses the name of a run, such as the UID of a Job. */
export function parseRunName(text: string): string {
  if (!/^[\w.-]{1,100}$/.test(text))
    throw new InvalidArgumentError("It must have 1 to 100 letters, digits, dots, hyphens and underscores.");
  return text;
}

/** Parses a duration such as 30m, 12h or 7d into milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError("It must be a number with s, m, h or d, such as 12h.");
  return Number(number) * (MILLISECONDS[unit] ?? 0);
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** GitHub starts at most 256 jobs of a matrix. */
export const MOST_SHARDS = 256;

export interface ShardChoice {
  readonly index: number;
  readonly count: number;
}

/** Parses `2/8`. */
export function parseShardChoice(text: string): ShardChoice {
  const [, index, count] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count || count > MOST_SHARDS)
    throw new InvalidArgumentError(
      `It must be a number and the number of shards, such as 1/4, up to ${MOST_SHARDS}.`,
    );
  return { index, count };
}
