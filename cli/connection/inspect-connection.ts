import { maskTexts, readAddress } from "../../client/index.js";
import { errorLine, type ToolchainCheck } from "../toolchain/index.js";

/** A slower answer than this is taken for none. */
const ANSWER_MS = 5_000;
/** A clock that is further off makes tokens and rate limits look wrong. */
const CLOCK_SKEW_MS = 60_000;

/** The address of the service and, if there is one, the token to try. */
export interface ConnectionToCheck {
  baseUrl: string;
  token?: string;
  /** Plain HTTP to a host that is not this machine. */
  allowInsecure?: boolean;
}

/** Asks the service once and tells what the answer says: reachability, the token's fate, the clocks. */
export async function inspectConnection(
  { baseUrl, token, allowInsecure = false }: ConnectionToCheck,
  now: () => number = Date.now,
): Promise<ToolchainCheck[]> {
  let base: string;
  try {
    // The client's own rule: what no command would send a token to gets none here either.
    const { origin, prefix } = readAddress(baseUrl, allowInsecure);
    base = origin + prefix;
  } catch (error) {
    const remedy = "give a base address such as https://host/path";
    return [{ name: "connection", status: "missing", found: errorLine(error), remedy }];
  }
  const asked = token ? `${base}/user` : base;
  try {
    const response = await fetch(asked, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    const received = now();
    // A service may repeat in a refusal what it was sent.
    const detail = maskTexts(await messageOf(response), token ? [token] : []);
    return [
      { name: "connection", status: "ok", found: `${base} answers (HTTP ${response.status})` },
      tokenFinding(response.status, detail, token),
      clockFinding(response.headers.get("date"), received),
    ];
  } catch (error) {
    const remedy = "check the address, the network, and a proxy or firewall in between";
    return [
      { name: "connection", status: "missing", found: `${base} does not answer: ${reason(error)}`, remedy },
    ];
  }
}

/** The service's own words about a refusal. */
async function messageOf(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, 10_000);
  try {
    const { errors } = JSON.parse(text) as { errors?: { message?: unknown }[] };
    return (errors ?? []).map(({ message }) => String(message)).join("; ");
  } catch {
    return "";
  }
}

function tokenFinding(status: number, detail: string, token: string | undefined): ToolchainCheck {
  const name = "token";
  if (!token)
    return {
      name,
      status: "warning",
      found: "none given",
      remedy: "run `workspacectl login` or set a token",
    };
  const said = detail ? `: ${detail}` : "";
  if (status < 300) return { name, status: "ok", found: "accepted" };
  if (status === 401)
    return { name, status: "missing", found: `refused (HTTP 401${said})`, remedy: "make a new token" };
  if (status === 403) {
    const remedy =
      "see that the token has the scope USER_INFO, that the API is enabled and the rate limit is not reached";
    return { name, status: "warning", found: `known, but may not read its user (HTTP 403${said})`, remedy };
  }
  const remedy = "check that the base address is complete, with its path";
  return { name, status: "warning", found: `could not be tried (HTTP ${status}${said})`, remedy };
}

function clockFinding(date: string | null, received: number): ToolchainCheck {
  const name = "clock";
  const theirs = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(theirs))
    return { name, status: "ok", found: "not compared; the service does not tell its time" };
  const skew = received - theirs;
  const found = `${Math.round(Math.abs(skew) / 1000)} s ${skew < 0 ? "behind" : "ahead of"} the service's`;
  if (Math.abs(skew) <= CLOCK_SKEW_MS) return { name, status: "ok", found };
  return {
    name,
    status: "warning",
    found,
    remedy: "set this machine's clock (turn on time synchronization)",
  };
}

/** What hides behind `fetch failed`. */
function reason(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `nothing within ${ANSWER_MS / 1000} seconds`;
  return errorLine(error instanceof Error ? (error.cause ?? error) : error);
}
