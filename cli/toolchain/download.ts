/** Downloads files over HTTPS, from one host only. What arrives is checked by the caller. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { isLoopback } from "../../client/index.js";
import { createProgramError } from "./errors.js";

/** Time after which an address that does not respond counts as unreachable. */
const REACH_MS = 10_000;
const MAX_REDIRECTS = 3;
/** Several times the size of a release. */
const MAX_BYTES = 1 << 30;
const MAX_TEXT_BYTES = 1 << 20;

/** One host, and the connections to it. */
export interface DownloadSource {
  readonly get: (name: string) => Promise<Dispatcher.ResponseData>;
  /** Address of a file, without credentials. */
  readonly addressOf: (name: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * Opens a folder of files on a server.
 * @param base HTTPS, or HTTP to this machine; may contain a user and a password, which no message repeats
 * @param env proxies, by the variables that curl knows too
 */
export async function openSource(
  base: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<DownloadSource> {
  const folder = URL.canParse(base) ? new URL(base.replace(/\/*$/, "/")) : undefined;
  const local = folder !== undefined && isLoopback(folder.hostname);
  if (folder === undefined || !(folder.protocol === "https:" || (folder.protocol === "http:" && local)))
    throw createProgramError("the address of the releases does not begin with https://");
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const limits = { connect: { timeout: REACH_MS }, headersTimeout: REACH_MS, bodyTimeout: REACH_MS };
  const proxy = (name: string) => env[name] ?? env[name.toUpperCase()] ?? "";
  const dispatcher = local
    ? new Agent(limits)
    : new EnvHttpProxyAgent({
        ...limits,
        httpProxy: proxy("http_proxy"),
        httpsProxy: proxy("https_proxy"),
        noProxy: proxy("no_proxy"),
      });
  const login = `${decodeURIComponent(folder.username)}:${decodeURIComponent(folder.password)}`;
  const headers = login === ":" ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  folder.username = folder.password = "";
  const addressOf = (name: string) => new URL(name, folder).href;

  async function get(name: string): Promise<Dispatcher.ResponseData> {
    let address = addressOf(name);
    for (let redirects = 0; ; redirects++) {
      const { origin, pathname, search } = new URL(address);
      const response = await dispatcher.request({
        origin,
        path: pathname + search,
        method: "GET",
        headers,
        signal,
      });
      const { location } = response.headers;
      const isRedirect =
        response.statusCode >= 300 && response.statusCode < 400 && typeof location === "string";
      if (response.statusCode === 200) return response;
      await response.body.dump();
      if (!isRedirect) throw createProgramError(`${address} responds with HTTP ${response.statusCode}`);
      const next = URL.canParse(location, address) ? new URL(location, address) : undefined;
      if (next?.origin !== new URL(address).origin)
        throw createProgramError(
          `${address} redirects to ${next?.origin ?? "no address"}, which is another host`,
        );
      if (redirects === MAX_REDIRECTS) throw createProgramError(`${address} redirects too often`);
      address = next.href;
    }
  }
  return { get, addressOf, close: () => dispatcher.destroy() };
}

/** Writes a file of a source to a local one. Returns its SHA-256. */
export async function downloadFile(
  source: DownloadSource,
  name: string,
  file: string,
  onBytes: (done: number, total: number | undefined) => void,
): Promise<string> {
  const { body, headers } = await source.get(name);
  const total = Number(headers["content-length"]) || undefined;
  const hash = createHash("sha256");
  let done = 0;
  const count = new Transform({
    transform(part: Buffer, _encoding, next) {
      hash.update(part);
      done += part.length;
      onBytes(done, total);
      next(done > MAX_BYTES ? createProgramError(`${source.addressOf(name)} is too large`) : null, part);
    },
  });
  await pipeline(body, count, createWriteStream(file));
  return hash.digest("hex");
}

/** Returns a short text file of a source. */
export async function downloadText(source: DownloadSource, name: string): Promise<string> {
  const { body } = await source.get(name);
  let text = "";
  for await (const part of body.setEncoding("utf8")) {
    text += part as string;
    if (text.length > MAX_TEXT_BYTES) throw createProgramError(`${source.addressOf(name)} is too large`);
  }
  return text;
}
