/** The values of options: how texts become values, and the types that a command receives, inferred from the declarations of its options and arguments. */
import type { Argument, InferArgument, InferOptions, Option } from "@commander-js/extra-typings";
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

/** An option of any type. It names no type parameters, because TypeScript would infer them from here instead of from the option. */
export interface AnyOption {
  readonly flags: string;
  helpGroup(heading: string): unknown;
}

/** Arguments of any type, by the names that the command gives them. */
export type AnyArguments = Readonly<Record<string, Pick<Argument, "description" | "required">>>;

/** Values of options by their names, and of arguments by the names that the command gives them. */
export type OptionsOf<O extends readonly AnyOption[], A extends AnyArguments = Record<never, never>> = Given<
  Intersection<ReceiverOf<O[number]>> & ArgumentsOf<A>
>;

/** A function of the value, because TypeScript infers an intersection only from parameters. */
type ReceiverOf<O> =
  O extends Option<infer Usage, infer Preset, infer Default, infer Parsed, infer Mandatory, infer Choices>
    ? (value: InferOptions<unknown, Usage, Default, Parsed, Mandatory, Preset, Choices>) => void
    : never;

type Intersection<Receivers> = [Receivers] extends [(value: infer Values) => void] ? Values : never;

type ArgumentsOf<A extends AnyArguments> = {
  [Name in keyof A as Optional<A[Name], never, Name>]: ValueOf<A[Name]>;
} & {
  [Name in keyof A as Optional<A[Name], Name, never>]?: ValueOf<A[Name]>;
};

type Optional<A, Yes, No> = undefined extends ValueOf<A> ? Yes : No;

type ValueOf<A> =
  A extends Argument<infer Usage, infer Default, infer Parsed, infer Required, infer Choices>
    ? InferArgument<Usage, Default, Parsed, Required, Choices>
    : never;

/** What was not given is absent. A switch may be given as false by other commands. */
type Given<T> = { readonly [Name in keyof T]: Widened<Exclude<T[Name], undefined>> };

type Widened<T> = true extends T ? T | false : T;
