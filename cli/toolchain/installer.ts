/** Installs Pulumi's release: downloads the archive, checks its digest, and only then extracts it. No script of the release runs. */
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { createChildEnvironment } from "../../trust/child-environment.js";
import { chooseArchiveName, IN_PACKAGE, findPinnedArchive } from "./digests.js";
import { downloadFile, downloadText, openSource, type DownloadSource } from "./download.js";
import { createCancellation, formatErrorLine, createProgramError } from "./errors.js";
import { onPath } from "./locations.js";
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
  const tar = windows ? join(env["SystemRoot"] ?? "", "System32", "tar.exe") : onPath("tar", children);
  if (tar === undefined) throw createProgramError("there is no tar on PATH");
  const unpacked = join(root, "unpacked");
  await mkdir(unpacked);
  const flags = windows ? "-xf" : "-xzof"; // o: the files belong to the user, also when that is root.
  const result = await execa(tar, [flags, file, "-C", unpacked], {
    cwd: root,
    env: children,
    extendEnv: false,
    timeout: EXTRACT_MS,
    reject: false,
    stdin: "ignore",
    ...(signal && { cancelSignal: signal }),
  });
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
