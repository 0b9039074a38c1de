/** Finds the files of a stack in a file-based backend. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildLocksPath } from "../../../recovery/lock-store.js";
import { listNamesIn } from "../../../recovery/stores.js";
import { findFolder } from "../../../trust/backend.js";

/** Where the state of a stack is stored. */
export interface StackLocation {
  /** With an absolute path, if it is a folder. */
  readonly backendUrl: string;
  readonly project: string;
  readonly stack: string;
}

/** The folder `.pulumi` of a file-based backend; undefined for every other backend. */
export function findPulumiFolder({ backendUrl }: Pick<StackLocation, "backendUrl">): string | undefined {
  const folder = findFolder(backendUrl);
  return folder && join(folder, ".pulumi");
}

/** The folder of a stack's locks; undefined where there is no file-based backend. */
export function lockFolder(location: StackLocation): string | undefined {
  const folder = findFolder(location.backendUrl);
  return folder && join(folder, buildLocksPath(location));
}

/** The state, its backup, their attributes, and the temporary files of a Pulumi process that writes them or was killed meanwhile. */
const PLAIN_FORM = /\.json(\.bak)?(\.attrs|\.[\da-f]+\.tmp)?$/;

/** Path of an uncompressed state. */
export function locateStateFile(
  pulumi: string,
  { project, stack }: Pick<StackLocation, "project" | "stack">,
): string {
  return join(pulumi, "stacks", project, `${stack}.json`);
}

/**
 * The text of a state without objects.
 * @param salt the key of its secrets, as in the settings of the stack. A state in which recovery puts objects needs it
 */
export function createEmptyState(
  { project, stack }: Pick<StackLocation, "project" | "stack">,
  salt?: string,
): string {
  // Pulumi checks the version only if there is one.
  const manifest = { time: new Date().toISOString(), magic: "", version: "" };
  const latest =
    salt === undefined ? null : { manifest, secrets_providers: { type: "passphrase", state: { salt } } };
  return JSON.stringify({ version: 3, checkpoint: { stack: `organization/${project}/${stack}`, latest } });
}

/** Whether the states of each project have a folder of their own. Pulumi writes the file along with the first stack. */
export function isPlainLayout(meta: string | undefined): boolean {
  return meta?.trim() === "version: 1";
}

function readMeta(pulumi: string): string | undefined {
  const file = join(pulumi, "meta.yaml");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The names of a project's stacks. @returns undefined where only Pulumi can tell */
export function stackNamesIn(pulumi: string, project: string): readonly string[] | undefined {
  if (!existsSync(join(pulumi, "stacks"))) return [];
  return isPlainLayout(readMeta(pulumi))
    ? listStacksOf(listNamesIn(join(pulumi, "stacks", project)))
    : undefined;
}

/** The stacks whose states are among the names of files. */
export function listStacksOf(files: readonly string[]): string[] {
  return files.flatMap((file) => /^(.+)\.json(?:\.(?:gz|zst))?$/.exec(file)?.[1] ?? []);
}

/** Whether Pulumi may read another file than the uncompressed one. */
export function hasOtherForm(pulumi: string, location: Pick<StackLocation, "project" | "stack">): boolean {
  const meta = readMeta(pulumi);
  if (meta === undefined) return existsSync(join(pulumi, "stacks"));
  if (!isPlainLayout(meta)) return true;
  const file = locateStateFile(pulumi, location);
  const forms = listNamesIn(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return forms.some((name) => !PLAIN_FORM.test(name));
}
