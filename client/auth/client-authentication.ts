/** The ways to send the secret of an OAuth client. */
import * as oauth from "oauth4webapi";
import { isServiceError, type ServiceError } from "../errors.js";

/** Sends the secret as the service's specification shows the Basic header: without the escapes of RFC 6749, 2.3.1. */
const createPlainBasic =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    headers.set("authorization", `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`);
  };

/**
 * Sends requests with a client's credentials. The form comes first, because both standard and specification read it alike. A server that knows
 * a client by its Basic header only refuses the form, and servers differ in whether they unescape the header.
 */
export class ClientAuthentication {
  #ways: readonly oauth.ClientAuth[];

  constructor(id: string, secret: string | undefined) {
    const isPlain = /^[A-Za-z0-9]*$/.test(id + (secret ?? ""));
    this.#ways = !secret
      ? [oauth.None()]
      : [
          oauth.ClientSecretPost(secret),
          oauth.ClientSecretBasic(secret),
          ...(isPlain ? [] : [createPlainBasic(secret)]),
        ];
  }

  /** Tries the ways until the server knows the client. Later requests use that one. */
  async send<T>(ask: (way: oauth.ClientAuth) => Promise<T>): Promise<T> {
    let first: unknown;
    for (const way of this.#ways) {
      try {
        const answer = await ask(way);
        this.#ways = [way];
        return answer;
      } catch (error) {
        const isRefused = isUnknownClient(error) || (first !== undefined && isMalformed(error));
        if (!isRefused) throw error;
        first ??= error;
      }
    }
    throw first as ServiceError;
  }
}

/** Whether the server did not accept the client's credentials (RFC 6749, 5.2). Then it did nothing. */
function isUnknownClient(error: unknown): error is ServiceError {
  if (!isServiceError(error, "unauthorized")) return false;
  return error.oauthError === undefined ? error.status === 401 : error.oauthError === "invalid_client";
}

/** Whether the server cannot read the Basic header. What is wrong is what it answered before. */
const isMalformed = (error: unknown): boolean =>
  isServiceError(error) && error.oauthError === "invalid_request";
