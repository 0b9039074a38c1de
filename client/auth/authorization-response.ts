/** The redirect that ends a consent: who sent it, and why it refuses. */
import type { AuthorizationResponseError } from "oauth4webapi";
import { ServiceError } from "../errors.js";
import { spellOut } from "../printable.js";

/**
 * Returns the issuer that a redirect names (RFC 9207). The service's API does not return it, so any on the host of the consent page or of
 * the service counts. Another host's answer belongs to another login.
 */
export function readIssuer(received: URLSearchParams, addresses: readonly string[]): string | undefined {
  const issuer = received.get("iss");
  if (issuer === null) return undefined;
  const origins = addresses.map((address) => new URL(address).origin);
  if (URL.canParse(issuer) && origins.includes(new URL(issuer).origin)) return issuer;
  throw new ServiceError({
    code: "invalid-response",
    what: `the authorization comes from ${show(issuer)}, which is neither the host of the consent page nor that of the service`,
    remedy: "Check the address of the consent page (--authorize-url) and the base address (--base-url).",
  });
}

const remedies: Readonly<Record<string, readonly [ServiceError["code"], string]>> = {
  access_denied: ["denied", "Log in again and allow access."],
  invalid_scope: ["invalid-value", "Request only scopes that this client may have (login --scopes)."],
  server_error: ["server", 'Log in again later ("workspacectl login").'],
  temporarily_unavailable: ["server", 'Log in again later ("workspacectl login").'],
};

/** The error for a redirect with an error (RFC 6749, 4.1.2.1). */
export function createRefusedError(error: AuthorizationResponseError): ServiceError {
  const [code, remedy] = (Object.hasOwn(remedies, error.error) ? remedies[error.error] : undefined) ?? [
    "invalid-value",
    "Check how the client is registered: its id, redirect address and grants.",
  ];
  const { error_description: description } = error;
  const reason = description === undefined ? "" : `, with the message "${show(description)}"`;
  return new ServiceError({
    code,
    what: `the authorization was refused (${show(error.error)})${reason}`,
    remedy,
  });
}

/** The address of a redirect is written by others. */
const show = (text: string): string => spellOut(text).slice(0, 500);
