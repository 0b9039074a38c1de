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
export type CreateBody<T, W, Required> = {
  [K in Plain<T, W> as K extends Required ? SnakeCase<K> : never]: Sent<T[K]>;
} & {
  [K in Plain<T, W> as K extends Required ? never : SnakeCase<K>]?: Sent<T[K]>;
} & Added<W, Required>;

/** Body of a PATCH: what differs, and what it always contains. Null clears what is no longer declared. */
export type UpdateBody<T, W, Required, Always> = {
  [K in Plain<T, W> as K extends Always ? SnakeCase<K> : never]: Sent<T[K]>;
} & {
  [K in Plain<T, W> as K extends Always ? never : SnakeCase<K>]?:
    Sent<T[K]> | (K extends Required ? never : null);
} & Added<W, Always>;
