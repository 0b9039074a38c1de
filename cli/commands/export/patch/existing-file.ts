/** Reads an existing workspace file, with mock values for placeholders that have none. */
import { dirname, relative, sep } from "node:path";
import type { PropertyPath } from "../../../../provider/definition/problems.js";
import {
  Interpolated,
  listLeavesIn,
  parseYaml,
  findPartAt,
  getLocation,
  type LeafTree,
  type Tree,
} from "../../../../workspace-file/index.js";
import type { EditOptions } from "../../../../workspace-file/edit/index.js";
import type { DocumentOptions } from "../../../options/document.js";
import { listEntries, type Entry } from "../../../../workspace-file/load/entries.js";
import {
  readDeclarations,
  type ResourceDeclaration,
  type LoadedFile,
} from "../../../../workspace-file/load/index.js";

export interface Existing {
  readonly file: string;
  readonly reading: EditOptions;
  readonly declared: LoadedFile;
  readonly externals: readonly Entry[];
}

/** Names of the arguments that the document's `defaults` set for each type. */
export function collectDefaults({ declared }: Existing): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const [file, { text }] of declared.sources) {
    const { tree } = parseYaml(file, text);
    const defaults = tree?.kind === "map" ? tree.entries.get("defaults")?.value : undefined;
    if (defaults?.kind !== "map") continue;
    for (const [type, { value }] of defaults.entries)
      if (value.kind === "map")
        names.set(type, new Set([...(names.get(type) ?? []), ...value.entries.keys()]));
  }
  return names;
}

type ReadingOptions = Pick<DocumentOptions, "stack" | "overlay" | "allowPath">;

/** @throws {WorkspaceFileError} when it is not valid */
export function openExisting(
  file: string,
  { stack, overlay, allowPath }: ReadingOptions,
  env: NodeJS.ProcessEnv,
): Existing {
  const reading: EditOptions = { env, stack, overlays: overlay, allowPaths: allowPath, mock: true };
  const declared = readDeclarations(file, reading);
  const externals = listEntries(declared.tree).filter(({ external }) => external);
  return { file, reading, declared, externals };
}

/** Finds the part of the document that contains an argument. */
export function findPart(
  { declared }: Existing,
  { path, definition }: ResourceDeclaration,
  arg: string,
): Tree | undefined {
  const own = findPartAt(declared.tree, path);
  if (own?.kind === "leaf") return arg === definition.document?.scalar ? own : undefined;
  return findPartAt(own, [arg]);
}

/** Finds placeholders without a value in a part. */
export function openPlaceholders(part: Tree | undefined): LeafTree[] {
  return listLeavesIn(part).filter(({ mock, value }) => mock === true || value instanceof Interpolated);
}

/** `workspace.yaml:12` */
export function formatLineOf({ declared }: Existing, path: PropertyPath): string {
  const { file, line } = getLocation((findPartAt(declared.tree, path) ?? declared.tree).at);
  return `${file}:${line}`;
}

/** Finds the folder, relative to the main file, in which each entry of a section has its own file; and the existing files. */
export function listOwnFiles(
  { declared: { tree, sources } }: Existing,
  section: string,
): { readonly folder: string; readonly taken: readonly string[] } | undefined {
  const entries = tree.entries.get(section)?.value;
  const [main = ""] = sources.keys();
  if (entries?.kind !== "map") return undefined;
  const files = [...entries.entries.values()].map(({ key }) => getLocation(key).file);
  const alone = files.filter((file) => file !== main && files.indexOf(file) === files.lastIndexOf(file));
  const [last] = alone.slice(-1);
  if (last === undefined || alone.length * 2 <= files.length) return undefined;
  const here = (file: string) => relative(dirname(main), file).split(sep).join("/");
  return { folder: here(dirname(last)) || ".", taken: [...sources.keys()].map(here) };
}
