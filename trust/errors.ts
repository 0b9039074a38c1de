/** What the trust boundary refuses, by what it protects. */
export type TrustErrorCode =
  /** A file names an environment variable that it may not read. */
  | "variable"
  /** A path is outside of the folders that may be read or written. */
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

/** What to do about an error: in one way, or about each of its parts. */
export type RemedyText = string | readonly string[];

/**
 * Composes what users read from what is wrong and what to do about it. A remedy that begins with a capital letter is a sentence of its
 * own. A remedy that the message contains, as that of another error, is not repeated.
 */
export function withRemedy(message: string, remedies: RemedyText): string {
  const remedy = [remedies]
    .flat()
    .filter((one) => !message.includes(one))
    .join("\n");
  if (remedy === "") return message;
  if (/^[a-z"]/.test(remedy)) return `${message}: ${remedy}`;
  if (`${message}${remedy}`.includes("\n")) return `${message}\n${remedy}`;
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${remedy}`;
}

/** Refuses what somebody who can change a checkout may not do. The remedy says who may allow it. */
export class TrustError extends Error {
  override readonly name = "TrustError";

  constructor(
    readonly code: TrustErrorCode,
    message: string,
    readonly remedy: RemedyText,
  ) {
    super(withRemedy(message, remedy));
  }
}
