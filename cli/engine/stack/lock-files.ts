/** Finds the state and lock files of a stack in a file-based backend. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOf } from "../../../trust/backend.js";

/** Where the state of a stack is stored. */
export interface StackLocation {
  /** With an absolute path, if it is a folder. */
  readonly backendUrl: string;
  readonly project: string;
  readonly stack: string;
}

interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
}

/** The folder `.pulumi` of a file-based backend; undefined for every other backend. */
export function pulumiFolder({ backendUrl }: Pick<StackLocation, "backendUrl">): string | undefined {
  const folder = folderOf(backendUrl);
  return folder && join(folder, ".pulumi");
}

/** The folder of a stack's locks; undefined where there is no file-based backend. */
export function lockFolder(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  return base && join(base, "locks", "organization", location.project, location.stack);
}

export function lockFiles(location: StackLocation): string[] {
  const folder = lockFolder(location);
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

export function readLock(file: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Lock;
  } catch {
    // It was just released, or is being written.
    return undefined;
  }
}

/** The state, its backup, their attributes, and the temporary files of a Pulumi process that writes them or was killed meanwhile. */
const PLAIN_FORM = /\.json(\.bak)?(\.attrs|\.[\da-f]+\.tmp)?$/;

/** The state file; undefined where Pulumi may read another one (compressed, or of the layout without projects). */
export function stateFile(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  if (base === undefined || !existsSync(join(base, "meta.yaml"))) return undefined;
  if (readFileSync(join(base, "meta.yaml"), "utf8").trim() !== "version: 1") return undefined;
  const folder = join(base, "stacks", location.project);
  const name = `${location.stack}.json`;
  const forms = existsSync(folder) ? readdirSync(folder).filter((file) => file.startsWith(name)) : [];
  const isPlain = forms.includes(name) && forms.every((file) => PLAIN_FORM.test(file));
  return isPlain ? join(folder, name) : undefined;
}
