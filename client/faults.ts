import { ServiceError } from "./errors.js";

/** Faults before anything was sent: the service certainly did nothing. */
const NOT_SENT: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "the name server does not answer",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
};

const TIMEOUTS: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped in the middle",
  TimeoutError: "no answer in time",
};

/** Faults that trying again does not mend. */
const CERTIFICATE = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

export interface Fault {
  error: ServiceError;
  repeatable: boolean;
}

/** What a failed exchange means. `origin` is named, since a wrong base address is the usual reason. */
export function faultOf(error: unknown, request: { method: string; path: string }, origin: string): Fault {
  const code = codeOf(error);
  const base = { method: request.method, path: request.path, cause: error };
  const notSent = NOT_SENT[code];
  if (CERTIFICATE.test(code)) {
    return {
      repeatable: false,
      error: new ServiceError({
        ...base,
        code: "network",
        what: `the certificate of ${origin} is not trusted (${code})`,
        remedy: "Give its authority by NODE_EXTRA_CA_CERTS or the ca option.",
      }),
    };
  }
  if (notSent !== undefined) {
    const details = { ...base, what: `${notSent} by ${origin} (${code})` };
    const code_ = code === "UND_ERR_CONNECT_TIMEOUT" ? ("timeout" as const) : ("network" as const);
    const remedy = "Check the base address, the network and the proxy settings.";
    return { repeatable: true, error: new ServiceError({ ...details, code: code_, remedy }) };
  }
  const late = TIMEOUTS[code];
  return {
    repeatable: true,
    error: new ServiceError({
      ...base,
      code: late === undefined ? "network" : "timeout",
      what: late ?? `the connection to ${origin} broke${code ? ` (${code})` : ""}`,
      remedy: late === undefined ? "Try again." : "Try again, or allow more time (timeouts).",
      mayHaveBeenApplied: true,
    }),
  };
}

function codeOf(error: unknown): string {
  for (let e = error, depth = 0; e instanceof Error && depth < 4; e = e.cause, depth++) {
    const code = (e as { code?: unknown }).code;
    if (typeof code === "string") return code;
    if (e.name === "TimeoutError") return e.name;
    if (e instanceof AggregateError && e.errors.length > 0) return codeOf(e.errors[0]);
  }
  return "";
}
