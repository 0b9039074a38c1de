import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { isExecutable } from "./locations.js";

/** Written last into an entry, and so the sign that all the rest is there. */
const MANIFEST = "manifest.json";

/** What an entry says about itself. */
export interface Manifest {
  format: 1;
  /** The version that was seen to run before the entry was published. */
  version: string;
  /** The files in `bin` and their sizes. */
  files: Record<string, number>;
  /** What they held when they were seen to run; entries that were made before this was noted have none until they are read. */
  contents?: Record<string, FileFacts>;
  madeBy: "installer" | "build";
  madeAt: string;
}

/** What a file holds, and by what to see without reading it that it was not touched since. */
interface FileFacts {
  readonly sha256: string;
  readonly seen: string;
}

/** The manifest of a whole and undamaged entry; undefined otherwise, whatever is wrong with it. */
export async function readEntry(folder: string, files: readonly string[]): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
    if (manifest.format !== 1) return undefined;
    const renewed: Record<string, FileFacts> = {};
    for (const file of files) {
      const path = join(folder, "bin", file);
      if (!isExecutable(path) || (await stat(path)).size !== manifest.files[file]) return undefined;
      const facts = manifest.contents?.[file];
      const seen = await seenOf(path);
      if (seen === facts?.seen) continue;
      // Touched, copied or replaced: only what it holds tells which. Reading hundreds of megabytes is done once for each change.
      const sha256 = await digest(path);
      if (facts !== undefined && sha256 !== facts.sha256) return undefined;
      renewed[file] = { sha256, seen };
    }
    if (Object.keys(renewed).length === 0) return manifest;
    const whole = { ...manifest, contents: { ...manifest.contents, ...renewed } };
    await writeManifest(folder, whole).catch(() => undefined); // a cache that others own is read only
    return whole;
  } catch {
    return undefined;
  }
}

/**
 * Makes an entry: `fill` works in a temporary folder beside it and answers with the version it has checked, and only
 * a finished folder gets the entry's name. Call it under the entry's lock.
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
    await moveIntoPlace(temporary, folder);
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
    contents[name] = { sha256: await digest(path), seen: await seenOf(path) };
  }
  return { files, contents };
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest("hex");
}

/** Size, file and times: the system sets the last one at every change, whatever time a program gives a file. */
async function seenOf(path: string): Promise<string> {
  const { size, ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [size, ino, mtimeNs, ctimeNs].join(" ");
}

/** A damaged entry makes room; a folder of that name can only be one, or the same work of another process. */
async function moveIntoPlace(temporary: string, folder: string): Promise<void> {
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

/** Removes what processes left that were killed at work. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = basename(temporaryPrefix(folder));
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isRunning(parseInt(name.slice(prefix.length), 10))) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
