/** How an area of the API declares its calls: a path, the schema of the response, and what the caller needs. */
import { z } from "zod";
import type { CreateOptions } from "./create-once.js";
import type { Http } from "./http.js";
import { ASK_PER_PAGE, Listing, type Page, type PageQuery } from "./paging.js";
import { encodeSegment } from "./path.js";
import type { Schema } from "./schema.js";
import type { CallOptions } from "./transport.js";

/** A call that is not bound to a connection yet. */
export type Endpoint<Call> = (http: Http) => Call;

type PathArgs = readonly (string | number)[];
type Path<P extends PathArgs> = (...args: P) => string;

/** What the caller needs. The message of a refusal names it. */
interface Needs {
  scopes?: readonly string[];
  right?: string;
}

export const administrator = "a workspace administrator";

/** States the type of a query or a body. There is no value: only the compiler uses it. */
export function typed<T>(): T {
  return undefined as T;
}

/** The path of one item of a list, by its number. */
export function byNumber<P extends PathArgs>(all: Path<P>): Path<[...path: P, id: number]> {
  return (...args) => item(all, args);
}

/** The path of one item of a list, by its name. */
export function named<P extends PathArgs>(all: Path<P>): Path<[...path: P, name: string]> {
  return (...args) => item(all, args);
}

function item<P extends PathArgs>(all: Path<P>, args: PathArgs): string {
  const list = all(...(args.slice(0, -1) as unknown as P));
  return `${list}/${encodeSegment(args.at(-1) ?? "", `${list.slice(list.lastIndexOf("/"))}/`)}`;
}

export const byId = ({ id }: { id: number }) => id;

/** A list, with the function that identifies its items. */
export type ListEndpoint<P extends PathArgs, T, Q, K> = Endpoint<
  (...args: [...path: P, query?: Q, options?: CallOptions]) => Listing<T>
> & { readonly key: (item: T) => K };

/** GET of a list, page by page. */
export function list<P extends PathArgs, T, K extends string | number, Q extends PageQuery = PageQuery>(
  path: Path<P>,
  schema: Schema<T>,
  { query: _, array, key, ...needs }: Needs & { array: string; key: (item: T) => K; query?: Q },
): ListEndpoint<P, T, Q, K> {
  // Created once, at the first use: zod then compiles it, which takes longer than to check a page.
  let pageSchema: Schema<Record<string, unknown>> | undefined;
  const endpoint: Endpoint<(...args: [...path: P, query?: Q, options?: CallOptions]) => Listing<T>> =
    (http) =>
    (...args) => {
      const [at, query, options] = split<P, [Q?, CallOptions?]>(args);
      const request = { method: "GET" as const, path: path(...at), ...needs };
      const page = async (numbers: PageQuery): Promise<Page<T>> => {
        const response = await http.transport.call({ ...request, query: { ...query, ...numbers } }, options);
        const items = (response as Record<string, unknown> | undefined)?.[array];
        pageSchema ??= z.looseObject({ [array]: z.array(schema) });
        const checked = pageSchema;
        return {
          length: Array.isArray(items) ? items.length : 0,
          items: () => http.transport.check(checked, response, request)[array] as T[],
        };
      };
      const { sizes, settings } = http.transport;
      const { pageSize } = settings;
      const perPage = Math.min(query?.per_page ?? pageSize ?? ASK_PER_PAGE, pageSize ?? Infinity);
      const isLargest = pageSize !== undefined;
      return new Listing({ key, perPage, isLargest, sizes, list: array, firstPage: query?.page, page });
    };
  return Object.assign(endpoint, { key });
}

/** GET of one object. */
export function getOne<P extends PathArgs, T>(
  path: Path<P>,
  schema: Schema<T>,
  needs: Needs,
): Endpoint<(...args: [...path: P, options?: CallOptions]) => Promise<T>> {
  return (http) =>
    (...args) => {
      const [at, options] = split<P, [CallOptions?]>(args);
      return http.get(schema, { path: path(...at), ...needs }, options);
    };
}

/** PATCH (or PUT) of one object. */
export function updateOne<P extends PathArgs, T, B>(
  path: Path<P>,
  schema: Schema<T>,
  { body: _, method = "PATCH", ...needs }: Needs & { body: B; method?: "PATCH" | "PUT" },
): Endpoint<(...args: [...path: P, body: B, options?: CallOptions]) => Promise<T>> {
  return (http) =>
    (...args) => {
      const [at, body, options] = split<P, [B, CallOptions?]>(args);
      return http.send(schema, { method, path: path(...at), ...needs, body }, options);
    };
}

/** DELETE of one object. The call returns whether it existed. */
export function removeOne<P extends PathArgs>(
  path: Path<P>,
  needs: Needs,
): Endpoint<(...args: [...path: P, options?: CallOptions]) => Promise<boolean>> {
  return (http) =>
    async (...args) => {
      const [at, options] = split<P, [CallOptions?]>(args);
      return (await http.remove({ path: path(...at), ...needs }, options)).existed;
    };
}

/** A creation, and how its object is recognized when the response is lost (create.ts). */
interface Creation<P extends PathArgs, Full, Item, B, K> {
  body: B;
  scopes?: readonly string[] | ((body: B) => readonly string[]);
  right?: string;
  /** For messages: `group "QA"`. Never a secret. */
  what: (body: B) => string;
  /** The list in which the object appears. */
  among: ListEndpoint<P, Item, PageQuery, K>;
  /** The objects to search. Default, or undefined: the whole list. */
  candidates?: (http: Http, at: P, body: B, options: CallOptions) => Promise<Iterable<Item>> | undefined;
  /** Whether an object has the natural key of the body; `maybe` when the service does not return its key. */
  matches: (item: Item, body: B) => boolean | "maybe";
  /** Reads the whole object. Without it, an item of the list is the whole object. */
  single?: Endpoint<(...args: [...path: P, id: K, options?: CallOptions]) => Promise<Full>>;
  /** Reads the whole object where `single` alone does not do. */
  read?: (http: Http, at: P, item: Item, options: CallOptions) => Promise<Full>;
}

/** POST of an object that has a natural key. */
export function createOne<P extends PathArgs, Full, Item, B, K extends string | number>(
  path: Path<P>,
  schema: Schema<Full>,
  declared: Creation<P, Full, Item, B, K>,
): Endpoint<(...args: [...path: P, body: B, options?: CreateOptions]) => Promise<Full>> {
  const { what, among, candidates, matches, scopes, right, single } = declared;
  const {
    read = (http, at, item, o) =>
      single ? single(http)(...at, among.key(item), o) : Promise.resolve(item as unknown as Full),
  } = declared;
  return (http) =>
    (...args) => {
      const [at, body, options] = split<P, [B, CreateOptions?]>(args);
      const key = {
        what: what(body),
        candidates: (o: CallOptions) =>
          candidates?.(http, at, body, o) ?? among(http)(...at, {}, o).toArray(),
        matches: (listed: Item) => matches(listed, body),
        id: among.key,
        read: (listed: Item, o: CallOptions) => read(http, at, listed, o),
      };
      const needs = { scopes: typeof scopes === "function" ? scopes(body) : scopes, right };
      return http.create(schema, { path: path(...at), ...needs, body }, key, options);
    };
}

/** What a list and its objects have in common. */
interface Collection<Item, K, Q> {
  /** The property of the response that contains the list. */
  array: string;
  key: (item: Item) => K;
  query?: Q;
  read: Needs;
  /** For one object, if it needs something else than the list. */
  readOne?: Needs;
  manage: Needs;
}

/**
 * The calls of a list and of its objects, of which an area declares those that the service has.
 * @param inList schema of an object as the list shows it
 * @param alone schema of an object that is read by itself
 */
export function collection<P extends PathArgs, Item, T, K extends string | number, Q extends PageQuery>(
  all: Path<P>,
  inList: Schema<Item>,
  alone: Schema<T>,
  { read, readOne = read, manage, ...listing }: Collection<Item, K, Q>,
) {
  const one: Path<[...path: P, id: K]> = (...args) => item(all, args);
  const among = list(all, inList, { ...read, ...listing });
  // Every field of a query is optional.
  const whole = among as ListEndpoint<P, Item, PageQuery, K>;
  const single = getOne(one, alone, readOne);
  return {
    list: among,
    get: single,
    create: <B>(creation: Omit<Creation<P, T, Item, B, K>, "among" | "single">) =>
      createOne(all, alone, { ...manage, ...creation, among: whole, single }),
    /** @param body states the type of the body */
    update: <B>(body: B) => updateOne(one, alone, { ...manage, body }),
    delete: removeOne(one, manage),
  };
}

/** Separates the arguments of the path, which are texts and numbers, from the objects after them. */
function split<P extends PathArgs, Rest extends readonly unknown[]>(args: readonly unknown[]): [P, ...Rest] {
  const end = args.findIndex((arg) => typeof arg !== "string" && typeof arg !== "number");
  const at = end < 0 ? args : args.slice(0, end);
  return [at as unknown as P, ...(args.slice(at.length) as unknown as Rest)];
}
