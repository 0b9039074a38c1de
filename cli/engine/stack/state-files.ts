/** Finds the files of a stack in a file-based backend. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { locksPath } from "../../../recovery/lock-store.js";
import { namesIn } from "../../../recovery/stores.js";
import { folderOf } from "../../../trust/backend.js";

/** Where the state of a stack is stored. */
export interface StackLocation {
  /** With an absolute path, if it is a folder. */
  readonly backendUrl: string;
  readonly project: string;
  readonly stack: string;
}

/** The folder `.pulumi` of a file-based backend; undefined for every other backend. */
export function pulumiFolder({ backendUrl }: Pick<StackLocation, "backendUrl">): string | undefined {
  const folder = folderOf(backendUrl);
  return folder && join(folder, ".pulumi");
}

/** The folder of a stack's locks; undefined where there is no file-based backend. */
export function lockFolder(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  return base && join(base, locksPath(location));
}

/** The state, its backup, their attributes, and the temporary files of a Pulumi process that writes them or was killed meanwhile. */
const PLAIN_FORM = /\.json(\.bak)?(\.attrs|\.[\da-f]+\.tmp)?$/;

/** The state file; undefined where Pulumi may read another one (compressed, or of the layout without projects). */
export function stateFile(location: StackLocation): string | undefined {
  const base = pulumiFolder(location);
  if (base === undefined || hasOtherForm(base, location)) return undefined;
  const file = plainStateFile(base, location);
  return existsSync(file) ? file : undefined;
}

/** Path of an uncompressed state. */
export function plainStateFile(pulumi: string, { project, stack }: StackLocation): string {
  return join(pulumi, "stacks", project, `${stack}.json`);
}

/** Whether Pulumi may read another file than the uncompressed one. */
export function hasOtherForm(pulumi: string, location: StackLocation): boolean {
  const meta = join(pulumi, "meta.yaml");
  // Pulumi writes the file along with the first stack.
  if (!existsSync(meta)) return existsSync(join(pulumi, "stacks"));
  if (readFileSync(meta, "utf8").trim() !== "version: 1") return true;
  const file = plainStateFile(pulumi, location);
  const forms = namesIn(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return forms.some((name) => !PLAIN_FORM.test(name));
}
