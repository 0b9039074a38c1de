/** The files of a fleet's entries: those that a pattern matches, where they are, what they declare, and that no two of them own the same objects. */
import { dirname, join, relative } from "node:path";
import picomatch from "picomatch";
import { readHead } from "../../../automation/connection/file-facts.js";
import { groupBy } from "../../../text/lists.js";
import { resolveRealPath } from "../../../trust/checkout.js";
import { ReadableFolders, readText } from "../../../trust/checkout-files.js";
import { findCostlyPattern } from "../../../workspace-file/document/costly-pattern.js";
import {
  createDiagnostic,
  type Diagnostic,
  getPositionAt,
  type Tree,
} from "../../../workspace-file/index.js";
import {
  findOverlay,
  type LoadedFile,
  readDeclarations,
  WorkspaceFileError,
} from "../../../workspace-file/load/load.js";
import { findMatchingFiles } from "../../../workspace-file/load/matching-files.js";
import { refuseOverlaps } from "../../operations/file-owners.js";
import type { FleetEntry } from "./fleet-file.js";

interface FoundFiles {
  /** By name, with the path relative to the fleet file. */
  readonly entries: Readonly<Record<string, { readonly file: string }>>;
  readonly problems: readonly Diagnostic[];
}

/**
 * @param others files that are not on disk, by absolute path
 * @throws {TrustError} when a pattern leads out of the folder of the fleet file
 */
export function findFilesFrom(
  patterns: readonly string[],
  fleetFile: string,
  tree: Tree,
  others: readonly string[],
): FoundFiles {
  const folder = dirname(fleetFile);
  const folders = new ReadableFolders([folder]);
  const entries: Record<string, { file: string }> = {};
  const problems: Diagnostic[] = [];
  const report = (message: string) => {
    const path = ["workspaces", "from"];
    problems.push(createDiagnostic(getPositionAt(tree, path), { code: "include", message }, path));
  };
  for (const pattern of patterns) {
    const costly = findCostlyPattern(pattern);
    if (costly !== undefined) {
      report(`${pattern} ${costly}`);
      continue;
    }
    const files = findMatchingFiles(pattern, folder, folders, others).filter(isDeclaration);
    if (files.length === 0) report(`no file matches ${pattern}: correct it, or add the first file`);
    for (const file of files) {
      const name = nameFile(file, pattern);
      const other = entries[name];
      if (other !== undefined && other.file !== file)
        report(`${other.file} and ${file} would both be the workspace ${name}: rename one of them`);
      entries[name] = { file };
    }
  }
  return { entries, problems };
}

/** Whether it is neither Pulumi's file nor the overlay of another one, such as `web.eu.yaml` of `web.yaml`. */
function isDeclaration(file: string, _: number, all: readonly string[]): boolean {
  const [, stem, ending] = /^(.*)\.[^./]+\.(ya?ml)$/.exec(file) ?? [];
  const isOverlay = stem !== undefined && all.includes(`${stem}.${ending}`);
  return !isOverlay && !/(^|\/)Pulumi(\.[^/]*)?\.ya?ml$/.test(file);
}

/** The part of a path for which the wildcards of the pattern stand: `web` of `teams/web.yaml`, or of `teams/web/workspace.yaml`. */
function nameFile(file: string, pattern: string): string {
  const { base } = picomatch.scan(pattern);
  const below = base === "" ? file : file.slice(base.length + 1);
  const [, literal = ""] = /[*?\])}]([^*?\])}]*)$/.exec(pattern) ?? [];
  const stands = below.endsWith(literal) ? below.slice(0, below.length - literal.length) : below;
  return stands.replace(/\.ya?ml$/, "").replaceAll("/", "-");
}

/** Returns the paths of an entry: those of its commit if it is pinned to one. */
export function locateFiles(
  entry: FleetEntry,
): Pick<FleetEntry, "file" | "stack" | "overlays" | "allowPaths"> {
  const { pinned, file, stack, overlays, allowPaths } = entry;
  const at = (path: string) =>
    pinned === undefined ? path : join(pinned.folder, relative(pinned.root, resolveRealPath(path)));
  return { file: at(file), stack, overlays: overlays.map(at), allowPaths: allowPaths.map(at) };
}

/**
 * Reads the file of a workspace, with mock values for environment variables. Undefined for a file with errors: the command itself
 * reports it, and continues with the other workspaces. The result is large, so callers keep only what they need of it.
 * @param texts texts that replace the contents of files, by absolute path
 */
export function loadEntry(
  entry: FleetEntry,
  env: NodeJS.ProcessEnv,
  texts?: ReadonlyMap<string, string>,
): LoadedFile | undefined {
  const { file, stack, overlays, allowPaths } = locateFiles(entry);
  try {
    return readDeclarations(file, { env, stack, overlays, allowPaths, mock: true, texts });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}

/** The domain that the file of an entry names; undefined where it names none, or cannot be read. */
export function findWorkspace(entry: FleetEntry): string | undefined {
  const { file, ...reading } = locateFiles(entry);
  try {
    return readHead(file, reading).workspace;
  } catch {
    // The command itself reports it.
    return undefined;
  }
}

/** @throws {WorkspaceFileError} with both places of each overlap */
export function refuseSharedObjects(entries: readonly FleetEntry[], env: NodeJS.ProcessEnv): void {
  // Each shard of a large fleet would otherwise read the files of all the others.
  if (!entries.some(mayOwn)) return;
  const read = entries.flatMap((entry) => {
    const loaded = loadEntry(entry, env);
    if (loaded?.workspace === undefined) return [];
    return [{ entry, workspace: identifyWorkspace(entry, loaded), owns: loaded.owns !== undefined }];
  });
  for (const shared of groupBy(read, ({ workspace }) => workspace).values()) {
    const files = new Map(shared.map(({ entry }) => [entry.file, entry]));
    if (files.size < 2 || !shared.some(({ owns }) => owns)) continue;
    refuseOverlaps(
      [...files.values()].flatMap((entry) => {
        const loaded = loadEntry(entry, env);
        return loaded === undefined ? [] : [{ file: entry.file, loaded }];
      }),
    );
  }
}

/** Whether the file of an entry may say what it owns: itself, in what it includes, or in an overlay. Only then do files overlap. */
function mayOwn({ file, stack, overlays }: FleetEntry): boolean {
  const ofStack = findOverlay(file, stack);
  return [file, ...overlays, ...(ofStack === undefined ? [] : [ofStack])].some((path) => {
    try {
      return /owns|include/.test(readText(path));
    } catch {
      // It may be a folder of files.
      return true;
    }
  });
}

/** At another address, there may be another workspace of the same name. */
function identifyWorkspace({ connection, environment }: FleetEntry, loaded: LoadedFile): string {
  const addresses = Object.entries(environment).filter(([variable]) => variable.endsWith("BASE_URL"));
  return JSON.stringify([loaded.workspace, connection ?? loaded.connection, addresses.toSorted()]);
}
