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
  /** What happened, in our words; the service's words are preferred when there are any. */
  what?: string | undefined;
  /** What to do about it. */
  remedy: string;
  method?: string | undefined;
  path?: string | undefined;
  status?: number | undefined;
  serviceMessages?: readonly string[] | undefined;
  field?: string | undefined;
  resetAt?: Date | undefined;
  candidates?: readonly (string | number)[] | undefined;
  mayHaveBeenApplied?: boolean | undefined;
  cause?: unknown;
}

/**
 * The one error of this library. Its message says what was asked (method and path), what came back (status and
 * the service's words) and what to do. Bodies, query strings and headers never enter it, so it is safe to print.
 *
 * Not thrown when the caller's own AbortSignal fires: then the signal's reason is thrown, as fetch does.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  /** The service's own words, in order. */
  readonly serviceMessages: readonly string[];
  readonly remedy: string;
  /** `invalid-value`: the field, where it is known. */
  readonly field: string | undefined;
  /** `rate-limited`: when requests are allowed again. */
  readonly resetAt: Date | undefined;
  /** `ambiguous`: ids of the objects that may be the one that was asked for. */
  readonly candidates: readonly (string | number)[];
  /** False when the service certainly did nothing; true when it may have carried the request out. */
  readonly mayHaveBeenApplied: boolean;

  constructor(details: ServiceErrorDetails) {
    super(compose(details), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.method = details.method;
    this.path = details.path;
    this.status = details.status;
    this.serviceMessages = details.serviceMessages ?? [];
    this.remedy = details.remedy;
    this.field = details.field;
    this.resetAt = details.resetAt;
    this.candidates = details.candidates ?? [];
    this.mayHaveBeenApplied = details.mayHaveBeenApplied ?? false;
  }
}

function compose({ method, path, status, what, serviceMessages, remedy }: ServiceErrorDetails): string {
  const where = method && path ? `${method} ${path}: ` : "";
  const words = [status, what ?? serviceMessages?.join(" ")].filter(Boolean).join(" ");
  return `${where}${sentence(words || "failed")} ${remedy}`.trim();
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** True for a ServiceError of this code (or of any of these codes). */
export function isServiceError(error: unknown, ...codes: ServiceErrorCode[]): error is ServiceError {
  return error instanceof ServiceError && (codes.length === 0 || codes.includes(error.code));
}
