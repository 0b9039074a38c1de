/** What the trust boundary refuses, by what it protects. */
export type TrustErrorCode =
  /** A file names an environment variable that it may not read. */
  | "variable"
  /** A path leads out of the folders that may be read or written. */
  | "path"
  /** A checkout names an address, a backend or a secrets provider that nobody outside has named. */
  | "address"
  /** A project file, a stack file or a state of the checkout has content that is not accepted. */
  | "content"
  /** A secret reference is not one of the present file, or would identify an object. */
  | "reference"
  /** A process that is not the engine has connected. */
  | "peer"
  /** A program is not the one that was installed. */
  | "program"
  /** A policy is in the checkout that it is to check. */
  | "policy";

/** Refuses what somebody who can change a checkout may not do. The message says what, where, and who may allow it. */
export class TrustError extends Error {
  override readonly name = "TrustError";

  constructor(
    readonly code: TrustErrorCode,
    message: string,
  ) {
    super(message);
  }
}
