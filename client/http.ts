import { z } from "zod";
import { check } from "./check.js";
import { ambiguous, createOnce, type CreateOptions, type NaturalKey } from "./create.js";
import { isServiceError } from "./errors.js";
import { Listing, type PageQuery } from "./paging.js";
import type { CallOptions, ServiceRequest, Transport } from "./transport.js";
import type { Schema } from "./wire.js";

type Get = Omit<ServiceRequest, "method">;

export interface ListRequest<T> extends Get {
  query?: PageQuery | undefined;
  /** The array's name in the answer, e.g. `groups`. */
  array: string;
  key: (item: T) => string | number;
}

/** One endpoint is one call of these. */
export class Http {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** GET of one object. */
  get<T>(schema: Schema<T>, request: Get, options?: CallOptions): Promise<T> {
    return this.send(schema, { method: "GET", ...request }, options);
  }

  /** Any request whose answer is an object. */
  async send<T>(schema: Schema<T>, request: ServiceRequest, options?: CallOptions): Promise<T> {
    return check(schema, await this.transport.call(request, options), request);
  }

  /** DELETE; an object that is gone already counts as deleted. */
  async remove(request: Get, options?: CallOptions): Promise<unknown> {
    try {
      return await this.transport.call({ method: "DELETE", ...request }, options);
    } catch (error) {
      if (isServiceError(error, "not-found")) return undefined;
      throw error;
    }
  }

  /** GET of a list, page by page. */
  list<T>(
    item: Schema<T>,
    { array, key, query, ...request }: ListRequest<T>,
    options?: CallOptions,
  ): Listing<T> {
    const schema = pageSchema(array, item);
    return new Listing({
      key,
      perPage: query?.per_page,
      firstPage: query?.page,
      page: async (page) => {
        const get = { method: "GET" as const, ...request, query: { ...query, ...page } };
        const answer = await this.transport.call(get, options);
        const came = (answer as Record<string, unknown> | undefined)?.[array];
        return {
          length: Array.isArray(came) ? came.length : 0,
          items: () => check(schema, answer, get)[array] as T[],
        };
      },
    });
  }

  /** POST of an object that can be recognized when the answer is lost. */
  async create<Full, Item>(
    schema: Schema<Full>,
    request: Get,
    key: NaturalKey<Full, Item>,
    options: CreateOptions = {},
  ): Promise<Full> {
    const post: ServiceRequest = { method: "POST", ...request };
    return createOnce(this.transport, post, key, options, () => this.send(schema, post, options));
  }

  /** A request that must not be sent twice and whose outcome cannot be looked up: `check` says what to look at. */
  async once<T>(
    schema: Schema<T>,
    request: ServiceRequest,
    check: string,
    options?: CallOptions,
  ): Promise<T> {
    try {
      return await this.send(schema, { ...request, repeatable: false }, options);
    } catch (error) {
      if (isServiceError(error) && error.mayHaveBeenApplied) throw ambiguous(request, error, check);
      throw error;
    }
  }
}

const pageSchemas = new WeakMap<Schema<unknown>, Map<string, Schema<Record<string, unknown>>>>();

/** The answer of a list. Made once for each: zod compiles a schema at its first use, which takes longer than a page. */
function pageSchema(array: string, item: Schema<unknown>): Schema<Record<string, unknown>> {
  let ofItem = pageSchemas.get(item);
  if (!ofItem) pageSchemas.set(item, (ofItem = new Map<string, Schema<Record<string, unknown>>>()));
  let schema = ofItem.get(array);
  if (!schema) ofItem.set(array, (schema = z.looseObject({ [array]: z.array(item) })));
  return schema;
}

/** What the classes of `api/` have in common. */
export abstract class Area {
  protected readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }
}
