/**
 * Error response of the service, with one constructor function per documented condition (spec, "Errors").
 *
 * Every error body is `{ "errors": [ { "message": <string> } ] }`. The spec leaves some statuses open, which are decided here
 * and documented in docs/emulator.md: 401 for invalid or expired credentials, 403 for missing rights, 404 for objects that
 * do not exist, 405 for a known path with another method, 409 for duplicates.
 */
export class ServiceError extends Error {
  constructor(
    /** HTTP status of the response. */
    readonly status: number,
    message: string,
    /** Additional headers of the response, such as `Allow`. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** Additional members of the body besides `errors`, such as the RFC 6749 fields of an OAuth error. */
    readonly extra: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ServiceError";
  }

  /** Returns the body of the response. */
  body(): Record<string, unknown> {
    return { errors: [{ message: this.message }], ...this.extra };
  }
}

/** 400: a parameter is missing, empty or of the wrong type (spec, "Errors" 2). */
export const createEmptyValueError = (field: string): ServiceError =>
  new ServiceError(400, `Value of '${field}' cannot be empty.`);

/** 400: the service has no such path (spec, "Errors" 2). */
export const createInvalidUrlError = (path: string): ServiceError =>
  new ServiceError(400, `Invalid url: ${path}`);

/** 400: the API of the workspace is disabled (spec, "Errors" 2). */
export const createApiDisabledError = (): ServiceError =>
  new ServiceError(400, "API is disabled in this workspace.");

/** 400: the request is well-formed, but cannot be fulfilled. */
export const createBadRequestError = (message: string): ServiceError => new ServiceError(400, message);

/** 401: the token is missing, unknown or expired. */
export const createUnauthorizedError = (message: string): ServiceError =>
  new ServiceError(401, message, { "www-authenticate": 'Bearer realm="workspace-automation"' });

/** 403: the caller lacks the right. */
export const createDeniedError = (message = "Access denied."): ServiceError => new ServiceError(403, message);

/** 403: the caller is not an administrator of the workspace. */
export const createAdminsOnlyError = (): ServiceError =>
  createDeniedError("Access denied: this is allowed to workspace administrators only.");

/** 403: the caller has used up the requests of this window (spec, "Errors" 3). */
export const createRateLimitExceededError = (): ServiceError => new ServiceError(403, rateLimitMessage);

const rateLimitMessage = "Rate limit exceeded.";

export const isRateLimitExceeded = ({ message }: ServiceError): boolean => message === rateLimitMessage;

/** 404: the object does not exist. */
export const createNotFoundError = (what: string): ServiceError =>
  new ServiceError(404, `${what} not found.`);

/** 405: the path exists, but not with this method. */
export const createMethodNotAllowedError = (method: string, allow: readonly string[]): ServiceError =>
  new ServiceError(405, `Method ${method} is not allowed here.`, { allow: allow.join(", ") });

/** 409: the name or membership already exists. */
export const createConflictError = (message: string): ServiceError => new ServiceError(409, message);

/** Error in a seed; names the path of each invalid value. */
export class SeedError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
    /** One line per problem, each starting with the path of the value. */
    readonly problems: readonly string[] = [],
  ) {
    super([message, ...problems.map((line) => `  ${line}`), remedy].join("\n"));
    this.name = "SeedError";
  }
}
