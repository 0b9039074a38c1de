/**
 * What is known of the programs in caches: the digests of their files. They are not in the cache, which a CI service may have restored
 * from anywhere, but in a file of the user's.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import envPaths from "env-paths";
import { z } from "zod";
import { ToolchainError, formatErrorLine } from "./errors.js";
import { tryLock } from "./lock.js";

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
  const { entries } = read(digestFile(env));
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
      const kept = Object.entries(read(file).entries).filter(([at, one]) => !isSuperseded(at, one));
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
function read(file: string): z.infer<typeof records> {
  try {
    return records.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { format: 1, entries: {} };
  }
}
