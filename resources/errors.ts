/** Errors of the provider: one class with a union of codes. Each message contains the remedy. */
import { type RemedyText, withRemedy } from "../trust/errors.js";

export type ProviderErrorCode =
  /** No connection, or one that lacks an address, a token or a workspace. */
  | "no-connection"
  /** The state belongs to another address or workspace than the connection. */
  | "other-workspace"
  /** An object with the same natural key exists, and `adopt` is not set. */
  | "already-exists"
  /** An object with the same natural key exists, and the state contains it, or another declaration of the run has created it. */
  | "already-managed"
  /** Several objects have the same natural key. */
  | "ambiguous-name"
  /** A name or number refers to nothing. */
  | "unknown-reference"
  /** An object to import does not exist. */
  | "not-there"
  /** An object to change, or the parent of a new one, was deleted after the plan was made. */
  | "deleted"
  /** The service cannot make a change, or the change was not explicitly allowed. */
  | "refused"
  /** The engine asks for an operation that the checked plan does not contain. */
  | "not-in-plan"
  /** The parent of an object was renamed outside. */
  | "renamed"
  /** An object can be neither read nor proved to be deleted. */
  | "unreadable"
  /** An object does not exist for the calling user, who is no administrator: it may be hidden. */
  | "perhaps-hidden"
  /** The service did something else than requested. */
  | "not-as-asked";

export class ProviderError extends Error {
  override readonly name: string = "ProviderError";

  constructor(
    readonly code: ProviderErrorCode,
    message: string,
    readonly remedy: RemedyText,
    options?: ErrorOptions,
  ) {
    super(withRemedy(message, remedy), options);
  }
}

/**
 * The object was created, but a later part of its creation failed. Pulumi stores an object thrown with `id`, `properties` and
 * `reasons` in the state as partially created, so that nothing is orphaned.
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
    // The reason contains its remedy.
    super("not-as-asked", reason.message, reason.message, { cause: reason });
    this.reasons = [reason.message];
  }
}

/** The object was changed, but not as requested: Pulumi stores its actual values in the state, and updates it in the next run. */
export class PartialUpdate extends PartialCreation {
  override readonly name = "PartialUpdate";
}
