/** SHA-256 digests of the Pulumi release that this package installs. `node scripts/pin-pulumi.mjs` writes them to toolchain/digests.json. */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CLI_ENTRY, findPackageRoot } from "./locations.js";
import { haveSameContents, type EntryFiles, type EntryRecord } from "./records.js";
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
