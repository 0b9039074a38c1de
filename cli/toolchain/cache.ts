import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isExecutable } from "./locations.js";

/** Written last into an entry, and so the sign that all the rest is there. */
const MANIFEST = "manifest.json";

/** What an entry says about itself. */
export interface Manifest {
  format: 1;
  /** The version that was seen to run before the entry was published. */
  version: string;
  /** The files in `bin` and their sizes, which betray one that was cut short or replaced. */
  files: Record<string, number>;
  madeBy: "installer" | "build";
  madeAt: string;
}

/** The manifest of a whole and undamaged entry; undefined otherwise, whatever is wrong with it. */
export async function readEntry(folder: string, files: readonly string[]): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Manifest;
    if (manifest.format !== 1) return undefined;
    for (const file of files) {
      const path = join(folder, "bin", file);
      if (!isExecutable(path) || (await stat(path)).size !== manifest.files[file]) return undefined;
    }
    return manifest;
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
      files: await sizes(join(temporary, "bin")),
      madeBy,
      madeAt: new Date().toISOString(),
    };
    await writeFile(join(temporary, MANIFEST), JSON.stringify(manifest, null, 2) + "\n");
    await moveIntoPlace(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function sizes(folder: string): Promise<Record<string, number>> {
  const entries = (await readdir(folder)).map(
    async (name) => [name, (await stat(join(folder, name))).size] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
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
