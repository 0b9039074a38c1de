/** Base addresses: parses and checks them. */
import { ServiceError } from "./errors.js";

/** A base address, split for requests: `https://host` and `/api` (no trailing slash). */
export interface Address {
  origin: string;
  prefix: string;
  loopback: boolean;
}

/** Whether a URL's host is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The address of a page for the browser: by the same rule, since a code for tokens comes of it. It may have a query. */
export function readPageAddress(text: string, allowInsecure = false): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOpen = url?.protocol === "http:" && (allowInsecure || isLoopback(url.hostname));
  if (url && (url.protocol === "https:" || isOpen) && !url.username && !url.password) return url.href;
  throw new ServiceError({
    code: "invalid-value",
    field: "authorizeUrl",
    what: "the address of the consent page, on which users allow access (--authorize-url), is not an HTTPS address",
    remedy: "Use one that starts with https:// (http:// only for this machine), without user and password.",
  });
}

/** Parses and validates a base address. HTTPS only, unless the host is this machine. */
export function readAddress(baseUrl: string, allowInsecure = false): Address {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw createAddressError(
      "the base address is not a URL",
      "Give one with its scheme, such as https://workspace.example.com/api (http:// only for this machine).",
    );
  }
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw createAddressError(
      "the base address is not an HTTPS address",
      "Use one that starts with https:// (http:// only for this machine).",
    );
  }
  if (url.protocol === "http:" && !loopback && !allowInsecure) {
    throw createAddressError(
      `the base address http://${url.host} would send the token without encryption`,
      "Use https://, or allow it in a network that you trust: WORKSPACE_AUTOMATION_ALLOW_INSECURE=true (allowInsecure in code).",
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw createAddressError(
      "the base address contains more than scheme, host and path",
      "Remove user, password, query and fragment. The token is set separately.",
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ""), loopback };
}

function createAddressError(what: string, remedy: string): ServiceError {
  return new ServiceError({ code: "invalid-value", field: "baseUrl", what, remedy });
}
