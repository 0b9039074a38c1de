/** Why a call failed. Each code is explained in docs/client.md. */
export type ServiceErrorCode =
  | "api-disabled"
  | "invalid-url"
  | "invalid-value"
  | "rate-limited"
  | "denied"
  | "unauthorized"
  | "not-found"
  | "conflict"
  | "server"
  | "network"
  | "timeout"
  | "invalid-response"
  | "ambiguous";

export interface ServiceErrorDetails {
  code: ServiceErrorCode;
  /** What happened. Without it, the message quotes the service. */
  what?: string | undefined;
  /** What to do about it. */
  remedy: string;
  method?: string | undefined;
  path?: string | undefined;
  status?: number | undefined;
  serviceMessages?: readonly string[] | undefined;
  oauthError?: string | undefined;
  field?: string | undefined;
  resetAt?: Date | undefined;
  candidates?: readonly (string | number)[] | undefined;
  mayHaveBeenApplied?: boolean | undefined;
  cause?: unknown;
}

/**
 * The only error of this library. Its message has the request (method and path), the response (status and the service's
 * own message) and the remedy. It never has bodies, query strings or headers, so it is safe to print.
 *
 * When the caller's own AbortSignal fires, the signal's reason is thrown instead, as fetch does.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code!: ServiceErrorCode;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  /** The service's own messages, in order. */
  readonly serviceMessages: readonly string[] = [];
  /** The code of an OAuth endpoint's error (RFC 6749, 5.2). */
  readonly oauthError: string | undefined;
  readonly remedy!: string;
  /** `invalid-value`: the field, where it is known. */
  readonly field: string | undefined;
  /** `rate-limited`: when requests are allowed again. */
  readonly resetAt: Date | undefined;
  /** `ambiguous`: ids of the objects that may be the one that was requested. */
  readonly candidates: readonly (string | number)[] = [];
  /** False when the service certainly did nothing; true when it may have carried the request out. */
  readonly mayHaveBeenApplied: boolean = false;

  constructor({ what, cause, ...details }: ServiceErrorDetails) {
    super(compose({ what, ...details }), cause === undefined ? undefined : { cause });
    const given = Object.entries(details).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(given));
  }
}

function compose({ method, path, status, what, serviceMessages, remedy }: ServiceErrorDetails): string {
  const request = method && path ? `${method} ${path}: ` : "";
  const outcome = [status, what ?? serviceMessages?.join(" ")].filter(Boolean).join(" ") || "failed";
  return `${request}${outcome}${/[.!?]$/.test(outcome) ? "" : "."} ${remedy}`.trim();
}

/** Adds a sentence to the remedy of an error that already exists. */
export function addToRemedy(error: ServiceError, sentence: string): void {
  Object.assign(error, {
    remedy: `${error.remedy} ${sentence}`,
    message: `${error.message} ${sentence}`,
  });
}

/** True for a ServiceError of this code (or of any of these codes). */
export function isServiceError(error: unknown, ...codes: ServiceErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}

/** Catches the error of a list or object that does not exist. */
export function returnNoneIfMissing(error: unknown): [] {
  if (isServiceError(error, "not-found")) return [];
  throw error;
}
