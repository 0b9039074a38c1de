/** Protection of what requires no access token. */
import { isIP } from "node:net";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { extractPassword } from "./auth.js";
import { generateSecret, isSame } from "./encryption.js";
import { createDeniedError, ServiceError } from "./errors.js";

/** Protects what requires no access token: the control interface, the web pages and the consent page. */
export interface GateOptions {
  host?: string | undefined;
  publicOrigin?: string | undefined;
  key?: string | undefined;
}

/**
 * Minimum length of a chosen token or key where other machines can reach the emulator, so that it cannot be guessed.
 */
const minPublicLength = 20;

/**
 * Checks the token, the key and the public origin.
 * @throws Error for text that no header can carry, or that is too short.
 */
export function checkGateOptions(options: GateOptions & { token?: string | undefined }): void {
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
    if (!isLoopback(host) && text.length < minPublicLength)
      throw new Error(
        `the ${name} is too short for ${host}, which others can reach: use ${minPublicLength} characters or more, or omit it for a random one`,
      );
  }
}

/** Reports whether only this machine can reach a listening address. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host);
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name) && isIP(name) !== 0;
}

export class Gate {
  /** Key to send as a Bearer token or as a Basic password. Undefined when only this machine can reach the emulator. */
  readonly key: string | undefined;
  /** An access token was chosen instead of generated, so that others may know it. */
  knowsToken = false;
  private readonly isLocal: boolean;
  private readonly names: ReadonlySet<string>;
  private readonly publicOrigin: string | undefined;

  constructor({ host = "127.0.0.1", publicOrigin, key }: GateOptions) {
    this.key = key ?? (isLoopback(host) ? undefined : generateSecret());
    this.isLocal = isLoopback(host);
    const origin = publicOrigin === undefined ? undefined : new URL(publicOrigin);
    this.publicOrigin = origin?.origin;
    this.names = new Set([host.toLowerCase(), ...(origin ? [withoutBrackets(origin.hostname)] : [])]);
  }

  /** Whether foreign pages may not use the API either. A token that nobody can know keeps them out by itself. */
  get guardsApi(): boolean {
    return this.knowsToken && this.isLocal;
  }

  /** Hook of the routes that the gate protects. */
  readonly hook: onRequestHookHandler = (request, _reply, done) => {
    this.admit(request);
    done();
  };

  /**
   * Refuses requests of foreign pages. The Host header reveals a page whose own name resolves to this machine (DNS
   * rebinding), Origin and Sec-Fetch-Site reveal any other page. Following a link is allowed from anywhere.
   */
  refuseForeignPage(request: FastifyRequest): void {
    const { host, origin } = request.headers;
    const name = parseHostName(host);
    if (name === undefined || !this.isOwnName(name, request.socket.localAddress))
      throw createForeignHostError(name ?? "");
    const site = request.headers["sec-fetch-site"];
    const isLink =
      (request.method === "GET" || request.method === "HEAD") &&
      request.headers["sec-fetch-mode"] === "navigate";
    const isForeign =
      (origin !== undefined && origin !== `http://${host ?? ""}` && origin !== this.publicOrigin) ||
      ((site === "cross-site" || site === "same-site") && !isLink);
    if (isForeign)
      throw createDeniedError("Access denied: pages of other origins may not send requests here.");
  }

  private admit(request: FastifyRequest): void {
    this.refuseForeignPage(request);
    if (this.key !== undefined && !isSame(identifySender(request.headers.authorization), this.key))
      throw createKeyRequiredError();
  }

  private isOwnName(name: string, localAddress: string | undefined): boolean {
    if (isLoopback(name) || this.names.has(name)) return true;
    // Accepts the address that the request arrived at: unlike a name, it cannot be made to resolve elsewhere.
    return isIP(name) !== 0 && name === localAddress?.replace(/^::ffff:/, "");
  }
}

const withoutBrackets = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$/g, "");

/** Returns the host of a Host header, without the port. */
function parseHostName(host: string | undefined): string | undefined {
  const url = `http://${host ?? ""}`;
  return host === undefined || !URL.canParse(url) ? undefined : withoutBrackets(new URL(url).hostname);
}

function identifySender(authorization: string | undefined): string {
  const [, scheme = "", value = ""] = /^(\w+) +(\S+) *$/.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  return scheme.toLowerCase() === "basic" ? extractPassword(value) : "";
}

function createForeignHostError(name: string): ServiceError {
  return createDeniedError(
    `Access denied: this emulator is not known as '${name.slice(0, 255)}'. ` +
      "To use that name, start the emulator with it as the public origin.",
  );
}

function createKeyRequiredError(): ServiceError {
  const message =
    "The key of the emulator is required, as a Bearer token or as the password; it was printed at the start.";
  return new ServiceError(401, message, { "www-authenticate": 'Basic realm="emulator"' });
}
