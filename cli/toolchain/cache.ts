import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { isRunning } from "../../provider/recovery/parent-watchdog.js";
import { isExecutable } from "./locations.js";

/** Written last into an entry, which is therefore complete when this file exists. */
const MANIFEST = "manifest.json";

/** Description of a cache entry. */
export interface Manifest {
  format: 1;
  /** Version that the programs reported when they were run before the entry was published. */
  version: string;
  /** Files in `bin` and their sizes. */
  files: Record<string, number>;
  /** Their contents at that time. Entries of earlier releases have none until they are read. */
  contents?: Record<string, FileFacts>;
  madeBy: "installer" | "build";
  madeAt: string;
}

/** Digest of a file, and its state by which a later change is noticed without reading it. */
interface FileFacts {
  readonly sha256: string;
  /** Name of earlier releases, which read the same manifests. */
  readonly seen: string;
}

/** Returns the manifest of a complete and undamaged entry. */
export async function readEntry(folder: string, files: readonly string[]): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
    if (manifest.format !== 1) return undefined;
    const renewed: Record<string, FileFacts> = {};
    for (const file of files) {
      const path = join(folder, "bin", file);
      if (!isExecutable(path) || (await stat(path)).size !== manifest.files[file]) return undefined;
      const facts = manifest.contents?.[file];
      const state = await stateOf(path);
      if (state === facts?.seen) continue;
      // Touched, copied or replaced, which only the contents tell. Hundreds of megabytes are read once for each change.
      const sha256 = await digest(path);
      if (facts !== undefined && sha256 !== facts.sha256) return undefined;
      renewed[file] = { sha256, seen: state };
    }
    if (Object.keys(renewed).length === 0) return manifest;
    const whole = { ...manifest, contents: { ...manifest.contents, ...renewed } };
    await writeManifest(folder, whole).catch(() => undefined); // the cache of another user is read-only
    return whole;
  } catch {
    return undefined;
  }
}

/**
 * Makes an entry. `fill` works in a temporary folder, which gets the entry's name when it is complete, and returns the version
 * that it has verified. Must be called with the lock of the entry.
 */
export async function makeEntry(
  folder: string,
  madeBy: Manifest["madeBy"],
  fill: (temporary: string) => Promise<string>,
): Promise<void> {
  await removeLeftovers(folder);
  const temporary = await mkdtemp(`${temporaryPrefix(folder)}${process.pid}-`);
  try {
    await mkdir(join(temporary, "bin"));
    const version = await fill(temporary);
    const manifest: Manifest = {
      format: 1,
      version,
      ...(await filesIn(join(temporary, "bin"))),
      madeBy,
      madeAt: new Date().toISOString(),
    };
    await writeManifest(temporary, manifest);
    await publish(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFileAtomic(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function filesIn(folder: string): Promise<Pick<Manifest, "files" | "contents">> {
  const [files, contents]: [Record<string, number>, Record<string, FileFacts>] = [{}, {}];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    files[name] = (await stat(path)).size;
    contents[name] = { sha256: await digest(path), seen: await stateOf(path) };
  }
  return { files, contents };
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

/** Returns size, inode and times. The system sets the change time, which programs cannot. */
async function stateOf(path: string): Promise<string> {
  const { size, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [size, ino, mtimeNs, ctimeNs].join(" ");
}

/** Replaces an existing entry, which is damaged or was made by another process. */
async function publish(temporary: string, folder: string): Promise<void> {
  if (existsSync(folder)) {
    const aside = `${temporary}-old`;
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true });
  }
  await rename(temporary, folder);
}

function temporaryPrefix(folder: string): string {
  return join(dirname(folder), `.tmp-${basename(folder)}-`);
}

/** Removes temporary folders of processes that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = basename(temporaryPrefix(folder));
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isRunning(parseInt(name.slice(prefix.length), 10))) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}
