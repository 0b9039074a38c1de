/**
 * SHA-256 digests by which programs are known. Those of Pulumi's release are in this package: `node scripts/pin-pulumi.mjs` writes them to
 * toolchain/digests.json. Those of programs in caches are in a file of the user's, not in the cache, which a CI service may have restored
 * from anywhere.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import envPaths from "env-paths";
import { z } from "zod";
import { formatErrorLine, ToolchainError } from "./errors.js";
import { CLI_ENTRY, findPackageRoot } from "./locations.js";
import { PULUMI_VERSION } from "./versions.js";

/** Digests of one archive of the release. */
interface PinnedArchive {
  readonly sha256: string;
  /** Digests of the programs in it, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Where these digests come from, for messages. */
export const IN_PACKAGE = "the digest in this package";

/** Returns the name of the archive for this machine, as Pulumi's own installers build it. */
export function chooseArchiveName(): string | undefined {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform as string];
  if (system === undefined || !["x64", "arm64"].includes(process.arch)) return undefined;
  return `pulumi-v${PULUMI_VERSION}-${system}-${process.arch}.${system === "windows" ? "zip" : "tar.gz"}`;
}

/** The file in this package. Tests replace it. */
export const pins = {
  read: () =>
    JSON.parse(readFileSync(join(findPackageRoot(), "toolchain", "digests.json"), "utf8")) as {
      readonly version: string;
      readonly archives: Readonly<Record<string, PinnedArchive>>;
    },
};

/** Returns the digests of the archive for this machine. A release of this package may have none. */
export function findPinnedArchive(): PinnedArchive | undefined {
  const { version, archives } = pins.read();
  return version === PULUMI_VERSION ? archives[chooseArchiveName() ?? ""] : undefined;
}

/** Returns the record of an entry that contains exactly the programs of the pinned release, wherever it comes from. */
export function findPinnedRecord(folder: string, files: EntryFiles): EntryRecord | undefined {
  const pinned = basename(folder) === CLI_ENTRY ? findPinnedArchive() : undefined;
  if (pinned === undefined) return undefined;
  const digests = Object.entries(pinned.files);
  const release = Object.fromEntries(digests.map(([name, sha256]) => [name, { sha256, state: "" }]));
  if (!haveSameContents(release, files)) return undefined;
  const now = new Date().toISOString();
  return { version: PULUMI_VERSION, madeBy: "installer", checkedAgainst: IN_PACKAGE, madeAt: now, files };
}

/** Reads a file, which may be large, and returns its digest. */
export async function digestFileAt(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

const entryRecord = z.object({
  /** Version that the programs reported when they were run before the entry was published. */
  version: z.string(),
  madeBy: z.enum(["installer", "build"]),
  /** What the download or the sources were compared with. */
  checkedAgainst: z.string(),
  madeAt: z.string(),
  /** Every file in `bin`. By its state, a later change is noticed without reading the file. */
  files: z.record(z.string(), z.object({ sha256: z.string(), state: z.string() })),
});

const records = z.object({
  format: z.literal(1),
  /** By folder of the cache entry. */
  entries: z.record(z.string(), entryRecord),
});

/** What is known of a cache entry. */
export type EntryRecord = z.infer<typeof entryRecord>;
export type EntryFiles = EntryRecord["files"];

/** Returns the file with the digests. */
export function digestFile(env: NodeJS.ProcessEnv): string {
  const named = env["WORKSPACECTL_DIGESTS"];
  return named ? resolve(named) : join(envPaths("workspacectl", { suffix: "" }).config, "digests.json");
}

/**
 * Returns the records of entries with the same name, that of this folder first. The same programs may be known from another folder:
 * caches are moved, and restored by CI.
 */
export function openRecords(folder: string, env: NodeJS.ProcessEnv): EntryRecord[] {
  const { entries } = readRecords(digestFile(env));
  const others = Object.keys(entries).filter((at) => at !== folder && basename(at) === basename(folder));
  return [folder, ...others].flatMap((at) => entries[at] ?? []);
}

/** A process keeps the file for some milliseconds. */
const POLL_MS = 20;

/** Records the programs in a folder. Removes records of the same programs in folders that are gone. */
export async function writeRecord(folder: string, entry: EntryRecord, env: NodeJS.ProcessEnv): Promise<void> {
  const file = digestFile(env);
  const isSuperseded = (at: string, { files }: EntryRecord) =>
    basename(at) === basename(folder) && !existsSync(at) && haveSameContents(files, entry.files);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    let release = await tryLock(file);
    for (; release === undefined; release = await tryLock(file)) await sleep(POLL_MS);
    try {
      const kept = Object.entries(readRecords(file).entries).filter(([at, one]) => !isSuperseded(at, one));
      const all = { format: 1, entries: { ...Object.fromEntries(kept), [folder]: entry } };
      const { default: writeFileAtomic } = await import("write-file-atomic");
      await writeFileAtomic(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    } finally {
      await release();
    }
  } catch (error) {
    throw new ToolchainError(
      "cache-unwritable",
      `The digests of installed programs cannot be written to ${file} (${formatErrorLine(error)})`,
      "Make it writable, or set WORKSPACECTL_DIGESTS to a file that is.",
      { cause: error },
    );
  }
}

/** Reports whether two lists have the same files with the same contents. */
export function haveSameContents(one: EntryFiles, other: EntryFiles): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name]?.sha256 === other[name]?.sha256)
  );
}

/** A missing or damaged file counts as empty, so the programs are installed again. */
function readRecords(file: string): z.infer<typeof records> {
  try {
    return records.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { format: 1, entries: {} };
  }
}

/** A lock that was not renewed for this long belongs to a process that has died. */
const STALE_MS = 15_000;

/** Returns the function that releases the lock of a path, or undefined when another process holds it. */
export async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  // Loading it changes how this process handles signals.
  const { default: lockfile } = await import("proper-lockfile");
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 3,
      // Losing the lock (on a laptop that slept) does no harm, since everything is moved into place atomically.
      onCompromised: () => undefined,
    });
    return () => release().catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw error;
  }
}
