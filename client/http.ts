/** Sends the requests of endpoints and checks the responses. */
import { createAmbiguousError, createOnce, type CreateOptions, type NaturalKey } from "./create-once.js";
import { isServiceError } from "./errors.js";
import type { Schema } from "./schema.js";
import type { CallOptions, ServiceRequest, Transport } from "./transport.js";

type Get = Omit<ServiceRequest, "method">;

/** The response to a DELETE. */
interface Removal {
  readonly existed: boolean;
  readonly response: unknown;
}

/** What happened to a request whose outcome is not known. */
const OUTCOMES: Readonly<Record<string, string>> = {
  "invalid-response": "the response cannot be used",
  server: "the service failed",
  timeout: "the response did not come in time",
};

/** Sends the requests of the API's endpoints and checks the responses. */
export class Http {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** GET of one object. */
  get<T>(schema: Schema<T>, request: Get, options?: CallOptions): Promise<T> {
    return this.send(schema, { method: "GET", ...request }, options);
  }

  /** Any request whose response is an object. */
  async send<T>(schema: Schema<T>, request: ServiceRequest, options?: CallOptions): Promise<T> {
    return this.transport.check(schema, await this.transport.call(request, options), request);
  }

  /** DELETE. An object that does not exist any more counts as deleted. */
  async remove(request: Get, options?: CallOptions): Promise<Removal> {
    try {
      const response = await this.transport.call({ method: "DELETE", ...request }, options);
      return { existed: true, response };
    } catch (error) {
      if (isServiceError(error, "not-found")) return { existed: false, response: undefined };
      throw error;
    }
  }

  /** POST of an object that can be recognized when the response is lost. */
  async create<Full, Item>(
    schema: Schema<Full>,
    request: Get,
    key: NaturalKey<Full, Item>,
    options: CreateOptions = {},
  ): Promise<Full> {
    const post: ServiceRequest = { method: "POST", ...request };
    return createOnce(this.transport, post, key, options, () => this.send(schema, post, options));
  }

  /** A request that must not be sent twice and whose outcome cannot be looked up: `remedy` says how to check it. */
  async once<T>(schema: Schema<T>, request: ServiceRequest, remedy: string, options?: CallOptions) {
    try {
      return await this.send(schema, { ...request, repeatable: false }, options);
    } catch (error) {
      if (!isServiceError(error) || !error.mayHaveBeenApplied) throw error;
      const { status, serviceMessages, code } = error;
      const what = `${OUTCOMES[code] ?? "the response was lost"}, so it is not known whether the service did this`;
      throw createAmbiguousError(request, { what, remedy, status, serviceMessages, cause: error });
    }
  }
}
