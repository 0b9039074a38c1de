/** The files of a stack whose state is kept in files: the state itself, and those by which Pulumi locks it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the state of a stack is. */
export interface StackPlace {
  readonly backendUrl: string;
  /** Folder against which a relative address counts. */
  readonly root: string;
  readonly project: string;
  readonly stack: string;
}

interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
}

/** The folder `.pulumi` of a backend of files; undefined for every other backend. */
export function bookkeeping({ backendUrl, root }: Omit<StackPlace, "stack">): string | undefined {
  if (!backendUrl.startsWith("file:")) return undefined;
  const path = backendUrl.slice("file://".length).replace(/^~(?=\/|$)/, homedir());
  const folder = path.startsWith("/") && !backendUrl.includes("~") ? fileURLToPath(backendUrl) : path;
  return join(resolve(root, folder), ".pulumi");
}

export function lockFiles(place: StackPlace): string[] {
  const base = bookkeeping(place);
  if (base === undefined) return [];
  const folder = join(base, "locks", "organization", place.project, place.stack);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

export function readLock(file: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Lock;
  } catch {
    // Released in this moment, or being written.
    return undefined;
  }
}

/** The file that Pulumi reads; undefined where it could be another one (compressed, or of the layout without projects). */
export function stateFile(place: StackPlace): string | undefined {
  const base = bookkeeping(place);
  if (base === undefined || !existsSync(join(base, "meta.yaml"))) return undefined;
  if (readFileSync(join(base, "meta.yaml"), "utf8").trim() !== "version: 1") return undefined;
  const folder = join(base, "stacks", place.project);
  const name = `${place.stack}.json`;
  const forms = existsSync(folder) ? readdirSync(folder).filter((file) => file.startsWith(name)) : [];
  const isPlain =
    forms.includes(name) && forms.every((file) => /\.json(\.bak|\.attrs|\.bak\.attrs)?$/.test(file));
  return isPlain ? join(folder, name) : undefined;
}
