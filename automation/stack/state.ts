/** The state of a stack: where its files are and which form they have, the objects in it, and those of which properties are not watched. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseLogicalName, STACK_TYPE } from "../../components/urn.js";
import type { NotWatched } from "../../diff/ignored-changes.js";
import type { Fields } from "../../provider/index.js";
import { buildLocksPath } from "../../recovery/lock-store.js";
import { listNamesIn } from "../../recovery/stores.js";
import { findFolder } from "../../trust/backend.js";
import type { StateAddress } from "../../trust/state-address.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";
import { findDefinitionAt, isObject, nameReplaced, parseIdentity, parseResourceType } from "../urn.js";

/** Where the state of a stack is stored. */
export interface StackLocation {
  /** With an absolute path, if it is a folder. */
  readonly backendUrl: StateAddress;
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

export interface StateObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly protect: boolean;
  /** The object is not deleted when it is removed from the state. */
  readonly retain: boolean;
  /** Arguments and outputs; secrets as Pulumi has encrypted them. */
  readonly properties: Fields;
}

/** A resource in a state, as `pulumi stack export` prints it. Secrets are encrypted. */
export interface StateEntry {
  readonly urn: string;
  readonly type: string;
  readonly custom?: boolean;
  readonly id?: string;
  readonly inputs?: Fields;
  readonly outputs?: Fields;
  readonly parent?: string;
  readonly provider?: string;
  /** URNs. */
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
  readonly deletedWith?: string;
  readonly replaceWith?: readonly string[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  /** Paths of properties. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** It was replaced and is still to be deleted. */
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
  /** A program reads it with `get`, and the stack does not manage it. */
  readonly external?: boolean;
  readonly [field: string]: unknown;
}

export interface Pending {
  readonly type: string;
  readonly resource: StateEntry;
}

export interface Deployment {
  readonly resources?: readonly StateEntry[];
  readonly pending_operations?: readonly Pending[];
  readonly secrets_providers?: unknown;
}

/** The URNs of the objects to which an object refers. */
export function listReferredBy(entry?: StateEntry): string[] {
  const { parent, provider, dependencies, propertyDependencies, deletedWith } = entry ?? {};
  const named = Object.values(propertyDependencies ?? {}).flatMap((urns) => urns ?? []);
  const providerUrn = provider?.slice(0, provider.lastIndexOf("::"));
  const all = [parent, providerUrn, deletedWith, ...(dependencies ?? []), ...named];
  return all.filter((urn) => urn !== undefined);
}

/** Changes the URNs of the objects to which an object refers. @param change undefined removes a reference */
export function mapReferredUrns(entry: StateEntry, change: (urn: string) => string | undefined): StateEntry {
  const { parent, deletedWith, dependencies, replaceWith, propertyDependencies } = entry;
  const changeAll = (urns: readonly string[]) => urns.flatMap((urn) => change(urn) ?? []);
  const changed = {
    parent: parent && change(parent),
    deletedWith: deletedWith && change(deletedWith),
    dependencies: dependencies && changeAll(dependencies),
    replaceWith: replaceWith && changeAll(replaceWith),
    propertyDependencies:
      propertyDependencies &&
      Object.fromEntries(
        Object.entries(propertyDependencies).map(([name, urns]) => [name, urns && changeAll(urns)]),
      ),
  };
  return { ...entry, ...Object.fromEntries(Object.entries(changed).filter(([name]) => name in entry)) };
}

/** Whether the stack manages it, which it does not for what a program only reads. */
export function isManaged(entry: StateEntry): boolean {
  return isObject(entry) && entry.external !== true;
}

/** Returns the outputs of the stack itself. */
export function findOutputsOfStack({ resources = [] }: Deployment): Fields {
  return resources.find(({ type }) => type === STACK_TYPE)?.outputs ?? {};
}

/** Returns the URNs of the objects that are released instead of deleted. */
export function listRetainedIn(deployment: Deployment): ReadonlySet<string> {
  return new Set(
    listObjectsInState(deployment)
      .filter(({ retain }) => retain)
      .map(({ urn }) => urn),
  );
}

/** Returns the objects in the state in the order in which they are deleted: the newest first. */
export function listObjectsInState({ resources = [] }: Deployment): StateObject[] {
  return resources
    .filter(isManaged)
    .map(({ urn, type, id = "", protect, retainOnDelete, inputs, outputs, delete: isReplaced }) => ({
      urn,
      type: parseResourceType(type),
      name: isReplaced ? nameReplaced(parseLogicalName(urn), id) : parseLogicalName(urn),
      protect: protect === true,
      retain: retainOnDelete === true,
      properties: { ...inputs, ...outputs },
    }))
    .reverse();
}

export function listNotWatchedIn({ declarations }: Pick<LoadedFile, "declarations">): NotWatched[] {
  return declarations
    .filter(({ ignoreChanges }) => ignoreChanges.length > 0)
    .map(({ definition, name, ignoreChanges }) => ({
      type: definition.type,
      name,
      paths: [...ignoreChanges],
    }));
}

/** The engine records the paths of a program with each object. */
export function listNotWatchedInState({ resources = [] }: Deployment): NotWatched[] {
  return resources.flatMap((one) =>
    one.ignoreChanges !== undefined && findDefinitionAt(one) !== undefined
      ? { ...parseIdentity(one), paths: [...one.ignoreChanges] }
      : [],
  );
}
