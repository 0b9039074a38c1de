/** The types of the values that a command receives, inferred from the declarations of its options and arguments. */
import type { Argument, InferArgument, InferOptions, Option } from "@commander-js/extra-typings";

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
