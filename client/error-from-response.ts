/** Errors for the responses of the service. */
import { ServiceError, type ServiceErrorCode, type ServiceErrorDetails } from "./errors.js";
import { describePage, FOREIGN_REMEDY, FOREIGN_RESPONSE } from "./foreign-page.js";
import { maskTexts } from "./mask.js";
import { spellOut } from "./printable.js";
import { parseShallowJson } from "./shallow-json.js";

/** What an API area declares about a request, so that an error can name what is missing. */
export interface RequestNeeds {
  method: string;
  path: string;
  /** OAuth scopes of the endpoint (the spec's Endpoints section). */
  scopes?: readonly string[] | undefined;
  /** A right beyond scopes, e.g. "a workspace administrator". */
  right?: string | undefined;
  /** Remedies of this endpoint, where the usual one does not fit. */
  remedies?: Partial<Record<ServiceErrorCode, string>> | undefined;
}

/**
 * The error for a response of status 300 or more (spec: Errors). A refusal for the rate limit is not an error yet: the
 * request waits, and the limiter fails it when that takes too long.
 * @param secrets credentials of the request, which the response may repeat
 */
export function createErrorFromResponse(
  needs: RequestNeeds,
  status: number,
  text: string,
  secrets: readonly string[] = [],
  { turnedAway = false, location, missingStatus, credential }: ResponseFacts = {},
): ServiceError {
  const serviceMessages = listMessagesIn(text, secrets);
  const oauthError = findOauthErrorIn(text);
  const classified = isForeign(status, text) ? FOREIGN : classify(needs, status, serviceMessages, oauthError);
  const { code, remedy, field } = considerMissing(classified, needs, status, missingStatus);
  const details: ServiceErrorDetails = {
    code,
    remedy: `${needs.remedies?.[code] ?? remedy}${formatCredential(code, credential)}`,
    field,
    method: needs.method,
    path: needs.path,
    status,
    serviceMessages,
    oauthError: needs.path.startsWith("/oauth2/") ? oauthError : undefined,
    mayHaveBeenApplied: status >= 500 && !turnedAway,
  };
  if (classified === FOREIGN) details.what = `${FOREIGN_RESPONSE}${describePage(text, secrets)}`;
  else if (status < 400) details.what = `a redirect${describeLocation(location, secrets)}`;
  else if (serviceMessages.length === 0) details.what = "without an error message from the service";
  return new ServiceError(details);
}

interface ResponseFacts {
  /** Whether the response says when to try again: then the request was not executed. */
  turnedAway?: boolean;
  /** The header Location. */
  location?: string | undefined;
  /** The status of this service when an object does not exist, if it is not 404. */
  missingStatus?: number | undefined;
  /** What the token of the request is and where it comes from. */
  credential?: string | undefined;
}

/** Where a redirect leads, without parameters, which may contain credentials. */
function describeLocation(location: string | undefined, secrets: readonly string[]): string {
  if (location === undefined) return "";
  const [address = ""] = location.replace(/\/\/[^/?#]*@/, "//").split(/[?#]/);
  return ` to ${spellOut(maskTexts(address.slice(0, LONGEST_LOCATION), secrets))}`;
}

const LONGEST_LOCATION = 200;

/** Whoever has several logins and variables cannot tell otherwise which one was refused. */
function formatCredential(code: ServiceErrorCode, credential: string | undefined): string {
  if (credential === undefined || !["unauthorized", "denied"].includes(code)) return "";
  return ` The request used ${credential}.`;
}

interface Verdict {
  code: ServiceErrorCode;
  remedy: string;
  field?: string;
}

/** A proxy, a firewall, a sign-on page or another server has responded. Nothing follows from that for an object or a token. */
const FOREIGN: Verdict = {
  code: "invalid-response",
  remedy: FOREIGN_REMEDY,
};

/**
 * Whether a refusal is not in the form of the service (spec: Errors). It always says why it denies something. For other refusals, the
 * specification does not show every body, so an empty one counts. Too many requests are often refused by what is in front of a service.
 */
function isForeign(status: number, text: string): boolean {
  if (status < 400 || status >= 500 || status === 407 || status === 429) return false;
  if (status === 403) return !hasErrors(text) && findOauthErrorIn(text) === undefined;
  return text.trim() !== "" && !isObject(text);
}

function hasErrors(text: string): boolean {
  return Array.isArray(parseObject(text)["errors"]);
}

/** The verdict where a service has another status than 404 for what does not exist. */
function considerMissing(
  verdict: Verdict,
  { method }: RequestNeeds,
  status: number,
  missingStatus: number | undefined,
): Verdict {
  if (status !== missingStatus || status === 404) return verdict;
  if (verdict.code === "denied")
    return {
      ...verdict,
      remedy: `${verdict.remedy} This service responds in the same way when an object does not exist (its profile says so), so nobody can say which of the two is the case.`,
    };
  // A request with a body may be refused for its values.
  const isAlone = method === "GET" || method === "DELETE";
  if (verdict.code !== "invalid-value" || verdict.field !== undefined || !isAlone) return verdict;
  return classify({ method, path: "" }, 404, [], undefined);
}

/** OAuth reports invalid credentials by status 400 instead of 401 (RFC 6749, 5.2). */
const BAD_CREDENTIALS = ["invalid_grant", "invalid_client", "unauthorized_client"];

/** Nobody writes this parameter, so nobody corrects it. */
const PAGE_SIZE =
  'The pages that are requested are too large for this service. Measure it with "workspacectl probe --save-profile FILE", and set WORKSPACE_AUTOMATION_PROFILE to that file (pageSize in code).';

function classify(
  needs: RequestNeeds,
  status: number,
  messages: readonly string[],
  oauthError: string | undefined,
): Verdict {
  if (messages.some((m) => m.startsWith("API is disabled"))) {
    return {
      code: "api-disabled",
      remedy: "A workspace administrator can enable it in the workspace's settings (Developer API section).",
    };
  }
  switch (oauthError !== undefined && BAD_CREDENTIALS.includes(oauthError) ? 401 : status) {
    case 400:
    case 422:
      return classifyBadRequest(messages);
    case 401:
      return {
        code: "unauthorized",
        remedy:
          "The token is missing, wrong, expired or revoked: get a new one from this service, and log in with it (workspacectl login), or set it where the old one is set.",
      };
    case 403:
      return { code: "denied", remedy: describeNeeds(needs) };
    case 404:
    case 410:
      return {
        code: "not-found",
        remedy:
          "Check whether it was deleted, whether the token's user may see it, and whether the names and numbers in this address are right.",
      };
    case 429:
      return {
        code: "rate-limited",
        remedy: "The service asks for fewer requests at a time: try again later.",
      };
    case 409:
      return {
        code: "conflict",
        remedy:
          needs.method === "POST" && needs.path.endsWith("/members")
            ? "Manage the existing membership (adopt: true), or remove its declaration."
            : needs.method === "POST"
              ? "An object of that name probably already exists there: choose another name, or manage the existing one (adopt: true)."
              : "Another object already has that name, or this one is in use: choose another name, or first remove what uses it.",
      };
    case 407:
      return {
        code: "invalid-response",
        remedy:
          "A proxy asks for a login: write its user and password into HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT), or the service's host into NO_PROXY.",
      };
    default:
  }
  if (status >= 500) return { code: "server", remedy: "The service failed; try again later." };
  if (status < 400) {
    return {
      code: "invalid-response",
      remedy:
        "The API never redirects, but a sign-on, a proxy or another server does: check the base address, and HTTPS_PROXY and NO_PROXY.",
    };
  }
  return {
    code: "invalid-value",
    remedy:
      "The service does not accept the request, and does not say why: check the values that it contains.",
  };
}

function classifyBadRequest(messages: readonly string[]): Verdict {
  const url = messages.find((m) => m.startsWith("Invalid url"));
  if (url !== undefined) {
    return {
      code: "invalid-url",
      remedy:
        "The service has no such address. If other requests fail, too, check the base address (with or without /api). If only this one does, its object may be deleted, or the service may lack this function.",
    };
  }
  if (messages.some((m) => m.includes("'per_page'"))) return { code: "invalid-value", remedy: PAGE_SIZE };
  const field = messages
    .map((m) => /^Value of '(.+)' cannot be empty\.?$/.exec(m)?.[1])
    .find((f) => f !== undefined);
  if (field !== undefined)
    return { code: "invalid-value", field, remedy: `Set '${field}' to a value of the right type.` };
  if (messages.some((m) => /already (exists|taken|in use|a member)|not unique|must be unique/i.test(m))) {
    return { code: "conflict", remedy: "Choose another name, or manage the existing object (adopt: true)." };
  }
  return {
    code: "invalid-value",
    remedy:
      "The service does not accept the request: correct what its message names. If it names nothing, check the values of the object that was sent.",
  };
}

function describeNeeds({ scopes, right }: RequestNeeds): string {
  const needs = [
    scopes?.length
      ? `a token with the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(" and ")}`
      : undefined,
    right ? `the rights of ${right}` : undefined,
  ].filter(Boolean);
  return needs.length
    ? `This requires ${needs.join(" and ")}: use such a token.`
    : "The token's user is not allowed to do this: use the token of a user who is, or ask an administrator for the right.";
}

/** Whether the service refused the request because of its rate limit (spec: Errors): then it certainly did nothing. */
export function isRateLimited(status: number, text: string): boolean {
  return status === 403 && listMessagesIn(text).includes("Rate limit exceeded.");
}

/** The `errors[].message` of an error body; for OAuth also `error` and `error_description` (RFC 6749). */
function listMessagesIn(text: string, secrets: readonly string[] = []): string[] {
  const { errors, error, error_description } = parseObject(text);
  const list = Array.isArray(errors)
    ? errors.map((e: unknown) => (e as { message?: unknown } | null)?.message)
    : [];
  const found = [...list, ...(list.length ? [] : [error, error_description])];
  return found
    .filter((m): m is string => typeof m === "string" && m !== "")
    .map((m) => cleanMessage(maskTexts(m.slice(0, LONGEST_SEARCHED), secrets)));
}

function findOauthErrorIn(text: string): string | undefined {
  const { error } = parseObject(text);
  return typeof error === "string" ? error : undefined;
}

function isObject(text: string): boolean {
  try {
    const body = parseShallowJson(text);
    return typeof body === "object" && body !== null && !Array.isArray(body);
  } catch {
    return false;
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const body = parseShallowJson(text);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Most of a long message is not shown, so it is not searched either. */
const LONGEST_SEARCHED = 10_000;

/** One short line without control characters, so that no response can control a terminal. */
function cleanMessage(message: string): string {
  return spellOut(message).slice(0, 500);
}
