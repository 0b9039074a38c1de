/** Failures below HTTP, and whether a repetition may succeed. */
import { ServiceError, type ServiceErrorCode } from "./errors.js";
import { MAX_RESPONSE_BYTES } from "./send.js";

/** A failure below HTTP, and whether another attempt may succeed. */
export interface Fault {
  error: ServiceError;
  repeatable: boolean;
}

interface Kind {
  /** Of the error's code. */
  codes: RegExp;
  code: ServiceErrorCode;
  what: (origin: string) => string;
  remedy: string;
  /** False when nothing was sent, so that the service certainly did nothing. */
  mayHaveBeenApplied: boolean;
  repeatable: boolean;
}

const REACH = "Check the base address, the network and the proxy settings.";
const defineUnsent = (codes: RegExp, why: string, code: ServiceErrorCode = "network"): Kind => ({
  codes,
  code,
  what: (origin) => `cannot reach ${origin}: ${why}`,
  remedy: REACH,
  mayHaveBeenApplied: false,
  repeatable: true,
});
const defineLate = (codes: RegExp, what: string): Kind => ({
  codes,
  code: "timeout",
  what: () => what,
  remedy: "Try again, or allow more time: --timeout of workspacectl, timeouts in code.",
  mayHaveBeenApplied: true,
  repeatable: true,
});

/** The first match counts. The last one matches everything. */
const kinds: readonly Kind[] = [
  defineUnsent(/^ECONNREFUSED$/, "connection refused"),
  defineUnsent(/^ENOTFOUND$/, "host not found"),
  defineUnsent(/^EAI_AGAIN$/, "the name server does not respond"),
  defineUnsent(/^E(HOST|NET)UNREACH$/, "there is no route to it in the network"),
  defineUnsent(/^(UND_ERR_CONNECT_TIMEOUT|CONNECT_ETIMEDOUT)$/, "it does not respond in time", "timeout"),
  {
    ...defineUnsent(/^PROXY_407$/, "the proxy wants a user and a password"),
    remedy: "Write them into its address: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT.",
    repeatable: false,
  },
  {
    ...defineUnsent(/^PROXY_ADDRESS$/, "the environment names a proxy whose address cannot be read"),
    remedy: "Write HTTPS_PROXY as http://HOST:PORT.",
    repeatable: false,
  },
  defineUnsent(/^PROXY_TIMEOUT$/, "the proxy does not answer", "timeout"),
  defineUnsent(/^PROXY_/, "the proxy refuses"),
  {
    ...defineUnsent(/^(EPROTO|ERR_SSL_)/, "it does not respond with HTTPS as expected"),
    remedy:
      "Check whether the base address begins with the right one of https:// and http://, and has the right port.",
    repeatable: false,
  },
  {
    codes: /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    code: "network",
    what: (origin) => `the certificate of ${origin} is not trusted`,
    remedy:
      "Check the address. For a private certificate authority, set NODE_EXTRA_CA_CERTS or the ca option.",
    mayHaveBeenApplied: false,
    repeatable: false,
  },
  {
    codes: /^RESPONSE_TOO_LARGE$/,
    code: "invalid-response",
    what: () =>
      `the response is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB and was not read completely`,
    remedy:
      "Another server may have responded: check the base address. If it is right, report this to those who run the service.",
    mayHaveBeenApplied: true,
    repeatable: false,
  },
  defineLate(/^RESPONSE_TIMEOUT$/, "the response was not complete in time"),
  defineLate(/^UND_ERR_BODY_TIMEOUT$/, "the response stopped before its end"),
  defineLate(/^(UND_ERR_HEADERS_TIMEOUT|TimeoutError|ETIMEDOUT)$/, "no response in time"),
  {
    codes: /^/,
    code: "network",
    what: (origin) => `the connection to ${origin} broke`,
    remedy: "Try again.",
    mayHaveBeenApplied: true,
    repeatable: true,
  },
];

/** Explains a failed exchange. The message names `origin`, since a wrong base address is the usual reason. */
export function classifyFault(
  cause: unknown,
  request: { method: string; path: string },
  origin: string,
): Fault {
  const found = getCode(cause);
  const { what, ...kind } = kinds.find(({ codes }) => codes.test(found)) as Kind;
  const error = new ServiceError({
    method: request.method,
    path: request.path,
    code: kind.code,
    what: `${what(origin)}${found && kind.code === "network" ? ` (${found})` : ""}`,
    remedy: kind.remedy,
    mayHaveBeenApplied: kind.mayHaveBeenApplied,
    cause,
  });
  return { error, repeatable: kind.repeatable };
}

function getCode(error: unknown): string {
  for (let e = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const { code, syscall } = e as { code?: unknown; syscall?: unknown };
    if (code === "ETIMEDOUT" && syscall === "connect") return "CONNECT_ETIMEDOUT";
    // undici has no error code for a tunnel that the proxy does not open.
    const proxy = /^Proxy response \((\d+)\)/.exec(e.message)?.[1];
    if (proxy !== undefined) return `PROXY_${proxy}`;
    if (typeof code === "string") return code;
    if (e.name === "TimeoutError") return e.name;
    if (e instanceof AggregateError && e.errors.length > 0) return getCode(e.errors[0]);
  }
  return "";
}
