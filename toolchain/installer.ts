/** Installs Pulumi's release: downloads the archive over HTTPS from one host, checks its digest, and only then extracts it. No script of it runs. */
import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { isLoopback } from "../client/index.js";
import { createChildEnvironment } from "../trust/child-environment.js";
import { findOnPath } from "../trust/programs.js";
import { startProgram } from "../trust/start-program.js";
import { chooseArchiveName, findPinnedArchive, IN_PACKAGE } from "./digests.js";
import { createCancellation, createProgramError, formatErrorLine } from "./errors.js";
import type { WorkContext } from "./types.js";
import { PULUMI_VERSION } from "./versions.js";

/** Folder of the releases. WORKSPACECTL_PULUMI_RELEASES names a mirror of it. */
const RELEASES = "https://get.pulumi.com/releases/sdk";
/** Time that is enough for the release over a slow connection. */
const DOWNLOAD_MS = 300_000;
const EXTRACT_MS = 120_000;
const MEGABYTE = 1e6;

/**
 * Installs the official release into `root`/bin. Returns what its digest was compared with.
 *
 * @throws ToolchainError when the release cannot be reached, or is not the one that the digest describes
 */
export async function install(root: string, context: WorkContext): Promise<string> {
  const archive = chooseArchiveName();
  if (archive === undefined)
    throw createProgramError(`Pulumi has no release for ${process.platform} on ${process.arch}`);
  const late = AbortSignal.timeout(DOWNLOAD_MS);
  const signal = context.signal ? AbortSignal.any([context.signal, late]) : late;
  const file = join(root, archive);
  const checkedAgainst = await fetchArchive(archive, file, signal, context).catch((error: unknown) => {
    if (context.signal?.aborted) throw createCancellation();
    if (late.aborted)
      throw createProgramError(`the download did not end within ${DOWNLOAD_MS / 1000} seconds`);
    throw error;
  });
  const { onProgress } = context;
  onProgress({ kind: "step", way: "installer", text: `checked against ${checkedAgainst}; extracting it` });
  await extract(file, root, context);
  await rm(file);
  return checkedAgainst;
}

/** Downloads the archive and checks it. The digest in this package outranks the one that the server has next to the archive. */
async function fetchArchive(
  archive: string,
  file: string,
  signal: AbortSignal,
  { env, onProgress }: WorkContext,
): Promise<string> {
  const source = await openSource(env["WORKSPACECTL_PULUMI_RELEASES"] || RELEASES, env, signal);
  try {
    const address = source.addressOf(archive);
    onProgress({ kind: "step", way: "installer", text: `downloading ${address}` });
    const pinned = findPinnedArchive();
    const expected = pinned
      ? { sha256: pinned.sha256, by: IN_PACKAGE }
      : await fetchPublishedDigest(archive, source);
    const text = `downloading Pulumi ${PULUMI_VERSION}, megabytes`;
    const found = await downloadFile(source, archive, file, (done, total) => {
      const ofTotal = total === undefined ? {} : { total: Math.ceil(total / MEGABYTE) };
      onProgress({ kind: "count", way: "installer", text, done: Math.floor(done / MEGABYTE), ...ofTotal });
    });
    if (found === expected.sha256) return expected.by;
    throw createProgramError(
      `${address} is not the file that ${expected.by} describes (its SHA-256 is ${found}, not ${expected.sha256}); it is not used`,
    );
  } catch (error) {
    if (error instanceof Error && error.name === "ToolchainError") throw error;
    throw createProgramError(`${source.addressOf("")} cannot be used (${explainFailure(error)})`);
  } finally {
    await source.close();
  }
}

/** Reads the digest of the archive in the list that is published next to it. */
async function fetchPublishedDigest(
  archive: string,
  source: DownloadSource,
): Promise<{ sha256: string; by: string }> {
  const list = `pulumi-${PULUMI_VERSION}-checksums.txt`;
  const lines = (await downloadText(source, list)).split("\n").map((line) => line.trim().split(/\s+\*?/));
  const [sha256 = ""] = lines.find(([, name]) => name === archive) ?? [];
  const by = source.addressOf(list);
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw createProgramError(`${by} contains no SHA-256 of ${archive}`);
  return { sha256: sha256.toLowerCase(), by };
}

/** Extracts the programs with the system's own tar, which also reads ZIP files on Windows. */
async function extract(file: string, root: string, { env, checkouts, signal }: WorkContext): Promise<void> {
  const windows = process.platform === "win32";
  const children = createChildEnvironment("local", env, checkouts);
  const tar = windows ? join(env["SystemRoot"] ?? "", "System32", "tar.exe") : findOnPath("tar", children);
  if (tar === undefined) throw createProgramError("there is no tar on PATH");
  const unpacked = join(root, "unpacked");
  await mkdir(unpacked);
  const flags = windows ? "-xf" : "-xzof"; // o: the files belong to the user, also when that is root.
  const result = await startProgram(
    tar,
    [flags, file, "-C", unpacked],
    { cwd: root, env: children },
    {
      timeout: EXTRACT_MS,
      stdin: "ignore",
      ...(signal && { cancelSignal: signal }),
    },
  );
  if (result.isCanceled) throw createCancellation();
  if (result.failed) {
    const message = formatErrorLine(result.stderr || result.shortMessage).slice(0, 200);
    throw createProgramError(`${tar} cannot extract the archive: ${message}`);
  }
  const [top, bin] = [join(unpacked, "pulumi"), join(root, "bin")];
  const programs = existsSync(join(top, "bin")) ? join(top, "bin") : top;
  if (!existsSync(programs)) throw createProgramError("the archive has no folder named pulumi");
  await rm(bin, { recursive: true });
  await rename(programs, bin);
  await rm(unpacked, { recursive: true, force: true });
}

function explainFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return formatErrorLine(cause).slice(0, 200);
}

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
