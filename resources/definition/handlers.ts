/** The types of a resource file's declaration, inferred from the schemas of its arguments, outputs and remote object. */
import type { z } from "zod";
import type {
  Definition,
  Handlers,
  NameOf,
  OutputField,
  Reference,
  Shape,
  Variants,
  Written,
} from "./definition.js";

export type OutputFields = Readonly<Record<string, OutputField>>;
export type VariantShapes = Readonly<Record<string, { readonly args: Shape }>>;

/** The fields that a schema declares, without additional ones. */
type Named<T> = {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};

type KeyOfEach<U> = U extends unknown ? keyof U : never;
type OutputOfEach<U, K extends PropertyKey> =
  U extends Readonly<Record<K, z.ZodType>> ? z.output<U[K]> : never;

/** The values of arguments: of the type, and of all its variants. */
type Values<S extends Shape, V extends VariantShapes> = {
  [K in keyof S | KeyOfEach<V[keyof V]["args"]>]: OutputOfEach<S | V[keyof V]["args"], K>;
};

type RequiredName<S extends Shape> = {
  [K in keyof S]-?: undefined extends z.output<S[K]> ? never : K;
}[keyof S];

/** Arguments as the schema returns them. */
type Args<S extends Shape, V extends VariantShapes> = {
  readonly [K in keyof Values<S, V> as K extends RequiredName<S> ? K : never]: Values<S, V>[K];
} & {
  readonly [K in keyof Values<S, V> as K extends RequiredName<S> ? never : K]?: Values<S, V>[K] | undefined;
} & { readonly workspace?: string | undefined; readonly adopt?: boolean | undefined };

/** Outputs by origin: those with an API name from a response, the others from a reference. */
type Responded<O extends OutputFields> = {
  readonly [K in keyof O as O[K] extends { readonly apiName: string } ? K : never]: z.output<O[K]["schema"]>;
};
type Resolved<O extends OutputFields> = {
  readonly [K in keyof O as O[K] extends { readonly apiName: string } ? never : K]: z.output<O[K]["schema"]>;
};
/** Ids of resolved references, by their names. */
type Ids<References, Required> = {
  readonly [K in keyof References as IdName<References[K]>]: K extends Required ? number : number | undefined;
};
type IdName<T> = T extends { readonly idOutput: infer N extends string; readonly list?: never } ? N : never;

/** Declared arguments of these schemas. */
export type WrittenArgs<S extends Shape> = Written<Args<S, Readonly<Record<never, never>>>>;

interface TypedReference<A, State, R> extends Omit<Reference, "identity" | "label"> {
  readonly identity?: NameOf<A>;
  label?(remote: R, item: unknown, state: State): unknown;
}

/** `ApiField` with the types of the remote object and of the argument. */
interface TypedApiField<R, T, B> {
  to(value: T | null, creating: boolean): B;
  from?(remote: R, declared: T | undefined): unknown;
  keys?(declared: T | undefined): readonly string[];
  readonly rest?: readonly string[];
  readonly merged?: boolean;
}

type ValueAt<T, K> = K extends keyof T ? Exclude<T[K], null | undefined> : never;

type PlannedOf<S extends Shape, O extends OutputFields, V extends VariantShapes, T> = Args<S, V> &
  Resolved<O> &
  Omit<Ids<T, RequiredName<S>>, keyof O>;
type StateOf<S extends Shape, O extends OutputFields, V extends VariantShapes, T> = PlannedOf<S, O, V, T> &
  Responded<O>;

type CopiedBy<T> = T extends { readonly copies: infer C } ? C : unknown;

/** Rejects names that are not among these. */
type Only<T, Names> = { readonly [K in Exclude<keyof T, Names>]: never };

/**
 * The declaration in a resource file.
 * @typeParam S schemas of the arguments
 * @typeParam O outputs
 * @typeParam R the object as the service shows it
 * @typeParam V variants
 * @typeParam T references
 * @typeParam W request bodies of the arguments that have an `ApiField`
 * @typeParam P names of the arguments in every PATCH
 */
export type DefinitionInput<
  S extends Shape,
  O extends OutputFields,
  R extends object,
  V extends VariantShapes,
  T,
  W,
  P extends string,
> = Pick<Definition, "type" | "noun" | "description"> &
  Partial<Pick<Definition, "protect" | "ephemeral" | "runTimes" | "effect" | "brief">> & {
    readonly args: S;
    readonly outputs: O & { readonly [K in keyof O]: OutputField<z.ZodType, NoInfer<NameOf<Named<R>>>> };
    /** The object as the service shows it. Only its type counts: the client checks responses. */
    readonly remote: z.ZodType<R>;
    readonly variants?: Variants & { readonly of: V };
    readonly references?: T & {
      readonly [K in keyof T]: TypedReference<
        NoInfer<Args<S, V>>,
        NoInfer<StateOf<S, O, V, T>>,
        NoInfer<Named<R>>
      > & { readonly copies?: Only<CopiedBy<T[K]>, NoInfer<keyof Values<S, V>>> };
    } & Only<T, NoInfer<keyof Values<S, V>>>;
    readonly apiFields?: {
      readonly [K in keyof W]: TypedApiField<NoInfer<Named<R>>, NoInfer<ValueAt<Values<S, V>, K>>, W[K]>;
    } & Only<W, NoInfer<keyof Values<S, V>>>;
    readonly forceSend?:
      readonly P[] | ((args: NoInfer<Written<Args<S, V>>>) => readonly NoInfer<NameOf<Values<S, V>>>[]);
  } & NoInfer<
    Handlers<
      Args<S, V>,
      PlannedOf<S, O, V, T>,
      StateOf<S, O, V, T>,
      Named<R>,
      CreateBody<Values<S, V>, W, RequiredName<S>>,
      UpdateBody<Values<S, V>, W, RequiredName<S>, P>
    >
  >;

/** The type of a request body, derived from the arguments as `requestBody` derives the body itself. */
type SnakeCase<N extends string> = N extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : N;

type Sent<T> = Exclude<T, null | undefined>;
type Plain<T, W> = Exclude<keyof T & string, keyof W>;

/** The part of a body from the fields with other API names than their own. */
type Added<W, Required> = {
  [K in keyof W]: (body: K extends Required ? W[K] : Partial<W[K]>) => void;
}[keyof W] extends (body: infer B) => void
  ? B
  : unknown;

/** Body of a POST, without empty arguments. */
type CreateBody<T, W, Required> = {
  [K in Plain<T, W> as K extends Required ? SnakeCase<K> : never]: Sent<T[K]>;
} & {
  [K in Plain<T, W> as K extends Required ? never : SnakeCase<K>]?: Sent<T[K]>;
} & Added<W, Required>;

/** Body of a PATCH: the values that differ, and those that it always contains. Null clears a value that is no longer declared. */
type UpdateBody<T, W, Required, Always> = {
  [K in Plain<T, W> as K extends Always ? SnakeCase<K> : never]: Sent<T[K]>;
} & {
  [K in Plain<T, W> as K extends Always ? never : SnakeCase<K>]?:
    Sent<T[K]> | (K extends Required ? never : null);
} & Added<W, Always>;
