import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { denied, unauthorized, type ServiceError } from "./errors.js";
import { isSame, randomSecret } from "./vault.js";

/** Who may reach what asks for no access token: the control interface, and the web pages with the consent page. */
export interface GateOptions {
  host?: string | undefined;
  publicOrigin?: string | undefined;
  key?: string | undefined;
}

/** Beyond this machine a token or key that somebody made up must at least not be guessed. */
const shortestBeyond = 20;

/** @throws Error for a token or key that no header can carry, or that is too easy where others can try it. */
export function checkTexts(options: GateOptions & { token?: string | undefined }): void {
  const { host = "127.0.0.1", publicOrigin } = options;
  if (
    publicOrigin !== undefined &&
    !/^https?:$/.test(URL.canParse(publicOrigin) ? new URL(publicOrigin).protocol : "")
  )
    throw new Error("the public origin must be an address like https://emulator.example.com");
  for (const name of ["token", "key"] as const) {
    const text = options[name];
    if (text === undefined) continue;
    if (!/^[\x21-\x7e]+$/.test(text))
      throw new Error(`the ${name} must be of letters, digits and signs, without blanks`);
    if (!isLoopback(host) && text.length < shortestBeyond)
      throw new Error(
        `the ${name} is too short for ${host}, which others can reach: take ${shortestBeyond} characters or more, or leave it out for a random one`,
      );
  }
}

/** Whether an address to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name) && isIP(name) !== 0;
}

export class Gate {
  /** What has to be sent, as a Bearer token or as a Basic password; none on an emulator for this machine only. */
  readonly key: string | undefined;
  private readonly names: ReadonlySet<string>;
  private readonly publicOrigin: string | undefined;

  constructor({ host = "127.0.0.1", publicOrigin, key }: GateOptions) {
    this.key = key ?? (isLoopback(host) ? undefined : randomSecret());
    const origin = publicOrigin === undefined ? undefined : new URL(publicOrigin);
    this.publicOrigin = origin?.origin;
    this.names = new Set([host.toLowerCase(), ...(origin === undefined ? [] : [bare(origin.hostname)])]);
  }

  /**
   * Refuses a page of somebody else's: one that made its own name point at this machine (DNS rebinding) by the Host, any
   * other one by Origin and Sec-Fetch-Site. A link may be followed here from anywhere.
   */
  admit(request: FastifyRequest): void {
    const { host, origin } = request.headers;
    const name = nameOf(host);
    if (name === undefined || !this.isOurs(name, request.socket.localAddress)) throw foreignHost(name ?? "");
    const site = request.headers["sec-fetch-site"];
    const isLink =
      (request.method === "GET" || request.method === "HEAD") &&
      request.headers["sec-fetch-mode"] === "navigate";
    const isForeign =
      (origin !== undefined && origin !== `http://${host ?? ""}` && origin !== this.publicOrigin) ||
      ((site === "cross-site" || site === "same-site") && !isLink);
    if (isForeign) throw denied("Access denied: pages of other origins may not come here.");
    if (this.key !== undefined && !isSame(sentKey(request.headers.authorization), this.key))
      throw keyWanted();
  }

  private isOurs(name: string, localAddress: string | undefined): boolean {
    if (isLoopback(name) || this.names.has(name)) return true;
    // The very address that the request came to: unlike a name, nobody can make it point elsewhere.
    return isIP(name) !== 0 && name === localAddress?.replace(/^::ffff:/, "");
  }
}

const bare = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$/g, "");

/** The host of a Host header, without its port. */
function nameOf(host: string | undefined): string | undefined {
  const url = `http://${host ?? ""}`;
  return host === undefined || !URL.canParse(url) ? undefined : bare(new URL(url).hostname);
}

function sentKey(authorization: string | undefined): string {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+) *$/.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

function foreignHost(name: string): ServiceError {
  return denied(
    `Access denied: this emulator is not known as '${name.slice(0, 255)}'. ` +
      "If it is to be, start it with the public origin that people use.",
  );
}

function keyWanted(): ServiceError {
  const refusal = unauthorized(
    "The key of the emulator is required, as a Bearer token or as the password; it was printed at the start.",
  );
  return Object.assign(refusal, { headers: { "www-authenticate": 'Basic realm="emulator"' } });
}
