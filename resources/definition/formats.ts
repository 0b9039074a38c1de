/**
 * Formats of texts (spec: dates, addresses, ports, hashes), validated before any request. Each is a
 * pattern, which editors check too. A rule is added where a pattern is not enough.
 */
import { z } from "zod";
import { text } from "./primitives.js";

const requireMatch = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** A point in time, ISO 8601 in UTC (spec, General conventions), that exists in the calendar. */
export const utcDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/, {
    error: "must be an ISO 8601 date in UTC, for example 2026-01-31T08:00:00Z",
    abort: true,
  })
  .refine(isInCalendar, "must be a day and a time of day that exist, for example 2026-01-31T08:00:00Z");

function isInCalendar(date: string): boolean {
  const time = Date.parse(date);
  // Date.parse accepts 31 April as 1 May, and 24:00 as the next day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date.slice(0, 19));
}

/** Accepts a text of the format, or one with a variable of the run: `$NAME`. */
function allowVariable(form: string): RegExp {
  return new RegExp(`^(?:${form}|\\S*\\$\\S*)$`);
}

const portNumber = "0*(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

/** A port. The service expects a string, and a number is sent as one. */
export const port = z.union([
  z.int().min(1).max(65535),
  z.string().regex(allowVariable(portNumber), "must be a port, 1 to 65535, or a variable such as $PORT"),
]);

// Schemas contain it, and regular expressions of Go and Rust know no lookahead.
const git = "[A-Za-z][A-Za-z0-9+.-]*:\\/\\/[^\\s/]\\S*|[^\\s/:]+:(?:[^\\s/]\\S*|\\/(?:[^\\s/]\\S*)?)";
const gitMessage =
  "must be the address of a Git repository, such as https://git.example.com/web.git or git@git.example.com:web.git";

/** Address of a Git repository: `https://host/path`, `ssh://user@host/path`, or `user@host:path`. */
export const gitAddress = requireMatch(new RegExp(`^(?:${git})$`), gitMessage);
/** The same for an action. */
export const pushAddress = z.string().regex(allowVariable(git), gitMessage);

const web = "[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\s/?#]\\S*";
const webMessage = "must be a web address that begins with https:// or http://";

export const webAddress = requireMatch(new RegExp(`^(?:${web})$`), webMessage);
/** The same for an action. */
export const requestAddress = z.string().regex(allowVariable(web), webMessage);

/** A redirect address (RFC 6749, 3.1.2): absolute, and without a fragment. */
export const redirectAddress = requireMatch(
  /^[A-Za-z][A-Za-z0-9+.-]*:[^\s#]+$/,
  "must be an absolute address without a fragment, such as https://app.example.com/callback",
);

/** Hash of a commit, as the service shows it. */
export const revisionHash = requireMatch(
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  "must be the full hash of a commit: 40 (or 64) digits from 0-9 and a-f",
);

/** The start of a run: a hash, which may be shortened, or HEAD. */
export const revision = requireMatch(/^(?:HEAD|[0-9a-fA-F]{4,64})$/, "must be the hash of a commit, or HEAD");

/** The identifier of a sandbox: alphanumerics, underscores and hyphens, no hyphen at either end (spec, Sandbox). */
export const sandboxIdentifier = requireMatch(
  /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/,
  "must consist of letters, digits, underscores and hyphens, with no hyphen at either end",
);

/** Text of a public SSH key. The spec shows no format. A private key is refused, since it would be published. */
export const publicKey = text.regex(
  /^(?![\s\S]*PRIVATE KEY-)/,
  "must be the public key (the content of a file such as id_ed25519.pub), not the private one",
);
