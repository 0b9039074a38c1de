/** Runs `workspacectl doctor`. */
import { z } from "zod";
import { readLogins } from "../../../automation/connection/connection.js";
import { reportHead, reportParts } from "../../../automation/report/report-schemas.js";
import { describePage, maskTexts, readAddress } from "../../../client/index.js";
import { parseShallowJson } from "../../../client/shallow-json.js";
import { formatCount } from "../../../diff/format-count.js";
import { type Connection, type ConnectionProfile, resolveConnection } from "../../../provider/index.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson, printTable } from "../../../reports/output.js";
import {
  createMissingCheck,
  createOkCheck,
  createWarningCheck,
  formatErrorLine,
  inspect,
  type ToolchainCheck,
} from "../../../toolchain/index.js";
import { isSameAddress } from "../../../trust/connection.js";
import { TrustError } from "../../../trust/errors.js";
import type { DiagnoseOptions } from "./doctor-command.js";
import { inspectStore } from "./inspect-store.js";

export const doctorReportSchema = z
  .strictObject({
    ...reportParts(1),
    healthy: z.boolean().describe("Whether nothing is missing; otherwise the exit code is 1."),
    findings: z.array(
      z.strictObject({
        name: z.string().describe("What was checked, such as connection."),
        status: z
          .enum(["ok", "warning", "missing"])
          .describe("`warning` is something that works, or will, but is worth knowing."),
        found: z.string().describe("What was found and where."),
        remedy: z.string().optional().describe("What to do about it. Always there unless the status is ok."),
      }),
    ),
  })
  .meta({ title: "Doctor report", description: "What `workspacectl doctor --json` prints." });

export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** Checks the machine, and the service if a connection is configured. */
export async function diagnose({ connection: name, json = false }: DiagnoseOptions, io: Io): Promise<number> {
  const found = findConnection(name, io);
  if (found === undefined) return runDoctor({ json }, io);
  const { baseUrl, allowInsecure, token, profile, credential } = found;
  const text = typeof token === "string" ? token : await token.token({});
  const known = profile === undefined ? {} : { profile };
  const used = credential === undefined ? {} : { credential };
  return runDoctor({ json, baseUrl, allowInsecure, token: text, ...used, ...known }, io);
}

/** The configured connection. Without one, only a connection that was asked for by name is an error. */
function findConnection(name: string | undefined, io: Io): Connection | undefined {
  try {
    const credentials = readLogins(io.env);
    return resolveConnection({ explicit: { connection: name }, env: io.env, credentials });
  } catch (error) {
    if (name !== undefined || error instanceof TrustError) throw error;
    return undefined;
  }
}

/**
 * Prints what it finds on this machine and at the service, and how to correct problems.
 * @returns the exit code: 0 when nothing is missing, else 1
 */
export async function runDoctor(
  { json, baseUrl, profile, ...connection }: Partial<ConnectionToCheck> & Pick<DiagnoseOptions, "json">,
  io: Io,
): Promise<number> {
  const remedy = "choose a connection, or start a local service with `workspacectl emulator`";
  const none: ToolchainCheck = { name: "connection", status: "warning", found: "none configured", remedy };
  const checked = baseUrl ? inspectConnection({ baseUrl, ...connection }) : [none];
  const ofProfile = profile === undefined ? [] : [inspectProfile(profile, baseUrl ?? "")];
  const machine = inspect();
  const store = inspectStore(io.env, machine);
  const findings = [...(await Promise.all([machine, checked, store])).flat(), ...ofProfile];
  const healthy = findings.every(({ status }) => status !== "missing");
  if (json) printJson(io, { ...reportHead(1), healthy, findings } satisfies DoctorReport);
  else await printChecks(findings, healthy, io);
  return healthy ? 0 : 1;
}

async function printChecks(findings: ToolchainCheck[], healthy: boolean, io: Io): Promise<void> {
  const { green, yellow, red } = io.colors;
  const marks = { ok: green("ok"), warning: yellow("warning"), missing: red("missing") };
  const rows = findings.map(({ name, status, found }) => [marks[status], name, found]);
  await printTable(io, ["STATUS", "CHECK", "FOUND"], rows);
  const remedies = findings.filter(({ remedy }) => remedy);
  if (remedies.length > 0) print(io, "\nRemedies:");
  for (const { name, remedy } of remedies) print(io, `  - ${name}: ${remedy}`);
  print(io, `\n${healthy ? "Everything required is available." : "Something is missing."}`);
}

/** A service that takes longer counts as unreachable. */
const TIMEOUT_MS = 5_000;
/** A clock that is further off makes tokens and rate limits look wrong. */
const CLOCK_SKEW_MS = 60_000;

/** The address of the service and, if there is one, the token to try. */
interface ConnectionToCheck {
  baseUrl: string;
  token?: string;
  /** What the token is and where it comes from. */
  credential?: string;
  /** Plain HTTP to a host that is not this machine. */
  allowInsecure?: boolean;
  /** The profile that is in force. */
  profile?: ConnectionProfile;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A service may have changed since. */
const OLD_DAYS = 90;

/** Reports the profile that is in force, and its age. */
export function inspectProfile(
  { file, service, measuredAt, behavior }: ConnectionProfile,
  baseUrl: string,
  now: number = Date.now(),
): ToolchainCheck {
  const days = Math.floor((now - Date.parse(measuredAt)) / DAY_MS);
  const age = days <= 0 ? "today" : `${formatCount(days, "day")} ago`;
  const settings = formatCount(Object.keys(behavior).length, "setting");
  const found = `${file}: ${settings} measured ${age} at ${service}`;
  const remedy = "measure again with `workspacectl probe --save-profile FILE`";
  if (!isSameAddress(service, baseUrl))
    return createWarningCheck("profile", `${found}, not at ${baseUrl}`, remedy);
  return days > OLD_DAYS ? createWarningCheck("profile", found, remedy) : createOkCheck("profile", found);
}

/** Sends one request and reports what the response shows: reachability, whether the token is accepted, the clocks. */
export async function inspectConnection(
  { baseUrl, token, credential, allowInsecure = false }: ConnectionToCheck,
  now: () => number = Date.now,
): Promise<ToolchainCheck[]> {
  let base: string;
  try {
    // The client's own rule: where no command would send a token, none is sent here either.
    const { origin, prefix } = readAddress(baseUrl, allowInsecure);
    base = origin + prefix;
  } catch (error) {
    return [
      createMissingCheck(
        "connection",
        formatErrorLine(error),
        "use a base address such as https://host/path",
      ),
    ];
  }
  try {
    const response = await fetch(token ? `${base}/user` : base, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    const received = now();
    const text = await response.text().catch(() => "");
    const body = readBody(text);
    // A service may repeat in a refusal what it was sent.
    const sent = token ? [token] : [];
    const page = describePage(text, sent);
    const detail = maskTexts(joinMessages(body), sent);
    const clock = checkClock(response.headers.get("date"), received);
    const found = `${base} responds (HTTP ${response.status})`;
    if (token !== undefined && !isOfService(response.status, body))
      return [
        createMissingCheck("connection", `${found}, but not as the service does${page}`, FOREIGN),
        createWarningCheck("token", "not tested: the response is not the service's", FOREIGN),
        clock,
      ];
    const connection =
      response.status < 500
        ? createOkCheck("connection", found)
        : createMissingCheck("connection", `${found}: the service fails${page}`, FAILS);
    return [connection, checkToken(response.status, detail, token, credential), clock];
  } catch (error) {
    const remedy = "check the address, the network, and a proxy or firewall in between";
    return [createMissingCheck("connection", `${base} does not respond: ${formatReason(error)}`, remedy)];
  }
}

const FOREIGN = "check that the base address is complete, with its path, and a proxy or firewall in between";

/** The address is right, and nothing on this machine is the cause. */
const FAILS = "try again later, and ask whoever runs the service, or the proxy in front of it";

interface Body {
  readonly id?: unknown;
  readonly errors?: unknown;
}

/** Returns a body of JSON; an empty object for any other, such as the page of a proxy. */
function readBody(text: string): Body {
  try {
    const body = parseShallowJson(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Whether the response about the user is in the form of the service: a user, or the reason of a refusal. */
function isOfService(status: number, { id, errors }: Body): boolean {
  if (status < 300) return typeof id === "number";
  return (status !== 401 && status !== 403) || Array.isArray(errors);
}

/** Returns the service's own words about a refusal. */
function joinMessages({ errors }: Body): string {
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const messages = list.map((one) => String((one as { message?: unknown } | null)?.message));
  return messages.join("; ").slice(0, 10_000);
}

function checkToken(
  status: number,
  detail: string,
  token: string | undefined,
  credential: string | undefined,
): ToolchainCheck {
  const name = "token";
  if (!token) return createWarningCheck(name, "none given", "run `workspacectl login` or set a token");
  const used = credential === undefined ? "" : `: ${credential}`;
  const message = `${detail ? `: ${detail}` : ""})${used}`;
  if (status < 300) return createOkCheck(name, `accepted${used}`);
  if (status === 401)
    return createMissingCheck(name, `refused (HTTP 401${message}`, describeRenewal(credential));
  if (status >= 500) return createWarningCheck(name, `could not be tested (HTTP ${status}${message}`, FAILS);
  if (status === 403) {
    const remedy =
      "check that the token has the scope USER_INFO, that the API is enabled and the rate limit is not reached";
    return createWarningCheck(name, `accepted, but it may not read its user (HTTP 403${message}`, remedy);
  }
  const remedy = "check that the base address is complete, with its path";
  return createWarningCheck(name, `could not be tested (HTTP ${status}${message}`, remedy);
}

function describeRenewal(credential: string | undefined): string {
  const where = credential === undefined ? "" : ` in place of ${credential}`;
  return `create a new token, and use it${where}: with "workspacectl login", or where the token is set`;
}

function checkClock(date: string | null, received: number): ToolchainCheck {
  const name = "clock";
  const theirs = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return createOkCheck(name, "not compared: the service does not return its time");
  const skew = received - theirs;
  const found = `${Math.round(Math.abs(skew) / 1000)} s ${skew < 0 ? "behind" : "ahead of"} the service's`;
  return Math.abs(skew) <= CLOCK_SKEW_MS
    ? createOkCheck(name, found)
    : createWarningCheck(name, found, "set this machine's clock (turn on time synchronization)");
}

/** Returns the cause behind `fetch failed`. */
function formatReason(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no response within ${TIMEOUT_MS / 1000} seconds`;
  return formatErrorLine(error instanceof Error ? (error.cause ?? error) : error);
}
