/**
 * The service's refusals: one class, and one constructor per documented condition (spec, "Errors").
 *
 * Every error body is `{ "errors": [ { "message": <string> } ] }`. What the spec leaves open is decided here and listed
 * in docs/emulator.md: 401 for bad or expired credentials, 403 for a lack of rights, 404 for what does not exist, 405
 * for a known path with another method, 409 for what exists already.
 */
export class ServiceError extends Error {
  constructor(
    /** HTTP status of the answer. */
    readonly status: number,
    message: string,
    /** More headers for the answer, such as `Allow`. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** More members of the body beside `errors`, such as the RFC 6749 fields of an OAuth error. */
    readonly extra: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ServiceError";
  }

  /** The body as the service sends it. */
  body(): Record<string, unknown> {
    return { errors: [{ message: this.message }], ...this.extra };
  }
}

/** 400: a parameter of the wrong type, missing or empty (spec, "Errors" 2). */
export const emptyValue = (field: string): ServiceError =>
  new ServiceError(400, `Value of '${field}' cannot be empty.`);

/** 400: a path the service does not have (spec, "Errors" 2). */
export const invalidUrl = (path: string): ServiceError => new ServiceError(400, `Invalid url: ${path}`);

/** 400: the workspace's API is switched off (spec, "Errors" 2). */
export const apiDisabled = (): ServiceError => new ServiceError(400, "API is disabled in this workspace.");

/** 400: understood, but not possible. */
export const badRequest = (message: string): ServiceError => new ServiceError(400, message);

/** 401: no token, an unknown one or an expired one. */
export const unauthorized = (message: string): ServiceError =>
  new ServiceError(401, message, { "www-authenticate": 'Bearer realm="workspace-automation"' });

/** 403: known caller without the right. */
export const denied = (message = "Access denied."): ServiceError => new ServiceError(403, message);

/** 403: the hour's requests are used up (spec, "Errors" 3). */
export const rateLimitExceeded = (): ServiceError => new ServiceError(403, "Rate limit exceeded.");

/** 404: no such object. */
export const notFound = (what: string): ServiceError => new ServiceError(404, `${what} not found.`);

/** 405: the path exists, the method does not. */
export const methodNotAllowed = (method: string, allow: readonly string[]): ServiceError =>
  new ServiceError(405, `Method ${method} is not allowed here.`, { allow: allow.join(", ") });

/** 409: an object of that name, or that membership, exists already. */
export const conflict = (message: string): ServiceError => new ServiceError(409, message);
