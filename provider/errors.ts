/** Errors of the provider: one class, a union of codes; each message says what, where and the remedy. */

export type ProviderErrorCode =
  /** No connection, or one that lacks an address, a token or a workspace. */
  | "no-connection"
  /** The state belongs to another address or workspace than the connection. */
  | "other-workspace"
  /** An object of the same natural key is there already and `adopt` is not set. */
  | "already-exists"
  /** Several objects of the same natural key. */
  | "ambiguous-name"
  /** A name or number refers to nothing. */
  | "unknown-reference"
  /** An object that is to be imported is not there. */
  | "not-there"
  /** An object that is to be changed, or what a new one belongs to, was deleted after the plan was made. */
  | "deleted"
  /** A change that the service cannot carry out, or that was not explicitly allowed. */
  | "refused"
  /** What an object stands in has another name than it had, which somebody gave it outside. */
  | "renamed"
  /** An object that can be neither read nor shown to be gone. */
  | "unreadable"
  /** The service did something else than it was asked to. */
  | "not-as-asked";

export class ProviderError extends Error {
  override readonly name: string = "ProviderError";

  constructor(
    readonly code: ProviderErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The object was made, but what belongs to its creation failed later. Pulumi keeps an object thrown with `id`,
 * `properties` and `reasons` in the state as partly created, so that nothing is orphaned.
 */
export class PartialCreation extends ProviderError {
  override readonly name: string = "PartialCreation";
  reasons: readonly string[];

  constructor(
    readonly id: string,
    /** Outputs as far as they are known. */
    public properties: Readonly<Record<string, unknown>>,
    reason: Error,
  ) {
    super("not-as-asked", reason.message, { cause: reason });
    this.reasons = [reason.message];
  }
}

/** The object was changed, but not as it was asked: Pulumi keeps what is there in the state, and updates it in the next run. */
export class PartialUpdate extends PartialCreation {
  override readonly name = "PartialUpdate";
}
