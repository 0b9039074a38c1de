import { ServiceError } from "./errors.js";

/** A base address, split for requests: `https://host` and `/api` (no trailing slash). */
export interface Address {
  origin: string;
  prefix: string;
  loopback: boolean;
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Reads a base address, or says what is wrong with it. HTTPS only, unless the host is this machine. */
export function address(baseUrl: string, allowInsecure = false): Address {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw wrong("the base address is not a URL", "Give one such as https://workspace.example.com/api.");
  }
  const loopback = LOOPBACK.test(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw wrong("the base address is not an HTTPS address", "Give one that starts with https://.");
  }
  if (url.protocol === "http:" && !loopback && !allowInsecure) {
    throw wrong(
      `the base address http://${url.host} would send the token in the clear`,
      "Use https://, or set allowInsecure if the network is trusted.",
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw wrong(
      "the base address holds more than scheme, host and path",
      "Leave out user, password, query and fragment; the token is given by itself.",
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ""), loopback };
}

function wrong(what: string, remedy: string): ServiceError {
  return new ServiceError({ code: "invalid-value", field: "baseUrl", what, remedy });
}
