/** Reads an existing workspace file, with mock values for placeholders that have none, and maps its names to those at the service: an entry may have a key of its own. */
import { dirname, relative, sep } from "node:path";
import { mapDeep } from "../../../diff/values.js";
import {
  type Definition,
  definitions,
  type DiscoveredObject,
  type Fields,
  findDefinition,
  mapReferences,
} from "../../../provider/index.js";
import { buildNameIn, countCommonParts, LogicalName } from "../../../resources/definition/logical-name.js";
import type { PropertyPath } from "../../../resources/definition/problems.js";
import { groupBy } from "../../../text/lists.js";
import type { EditOptions } from "../../../workspace-file/edit/edit.js";
import {
  findPartAt,
  getLocation,
  Interpolated,
  type LeafTree,
  listLeavesIn,
  parseYaml,
  type Tree,
} from "../../../workspace-file/index.js";
import { type Entry, listEntries } from "../../../workspace-file/load/entries.js";
import {
  type LoadedFile,
  readDeclarations,
  Ref,
  type ResourceDeclaration,
} from "../../../workspace-file/load/load.js";
import type { DocumentOptions } from "../../next-command.js";

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

export const getLastKey = (name: string) => new LogicalName(name).key;
/** `projects/web/pipelines` of `projects/web/pipelines/deploy`. */
export const getSectionOf = (name: string) => new LogicalName(name).section;
/** `projects/web` of `projects/web/pipelines/deploy`; nothing at the top. */
export const getParentOf = (name: string) => new LogicalName(name).parent;

const placed = new Set(definitions.filter(({ document }) => document).map(({ type }) => type));

export class RemoteNames {
  private readonly toLive = new Map<string, string>();
  private readonly toFile = new Map<string, string>();
  /** Objects by type and key. */
  private readonly byKey: ReadonlyMap<string, readonly DiscoveredObject[]>;
  private readonly byNumber = new Map<string, DiscoveredObject>();
  private readonly byName = new Map<string, DiscoveredObject>();

  constructor(shown: readonly DiscoveredObject[]) {
    this.byKey = groupBy(shown, ({ definition, key }) => `${definition.type}/${key}`);
    for (const one of shown) {
      const { definition, name, outputs } = one;
      this.byName.set(name, one);
      const number = outputs[definition.identity.state];
      if (typeof number === "number") this.byNumber.set(`${definition.type}#${number}`, one);
    }
  }

  /** Records that an entry of the file is this object. */
  tie(file: string, live: string): void {
    this.toLive.set(file, live);
    this.toFile.set(live, file);
  }

  live(file: string): string | undefined {
    return file === "" ? "" : this.toLive.get(file);
  }

  file(live: string): string | undefined {
    return live === "" ? "" : this.toFile.get(live);
  }

  /** Returns the id of the object that an entry declares. */
  number(file: string): unknown {
    const live = this.byName.get(this.toLive.get(file) ?? "");
    return live?.outputs[live.definition.identity.state];
  }

  /** Converts a declared value to that of the service; undefined when it is not known. */
  asLive(definition: Definition, arg: string, value: unknown): unknown {
    const reference = definition.references[arg];
    const named = reference
      ? mapReferences(reference, value, ({ to }, inner) => {
          if (typeof inner !== "number") return inner;
          return this.byNumber.get(`${to}#${inner}`)?.key ?? inner;
        })
      : value;
    let known = true;
    const result = mapDeep(named, (part) => {
      if (part instanceof Ref) return this.keyOf(part.name);
      const text = part instanceof Interpolated ? this.filled(part) : part;
      if (text === undefined && part !== undefined) known = false;
      return text;
    });
    return known ? result : undefined;
  }

  private keyOf(file: string): string {
    return getLastKey(this.toLive.get(file) ?? file);
  }

  /** Resolves a text that contains outputs of existing objects. */
  private filled({ parts }: Interpolated): string | undefined {
    let text = "";
    for (const part of parts) {
      const value =
        typeof part === "string" ? part : this.byName.get(this.live(part.name) ?? "")?.outputs[part.output];
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      text += String(value);
    }
    return text;
  }

  /**
   * Converts a value of the service to that of the file.
   * @param missing called for each reference without an entry in the file
   */
  asFile(
    definition: Definition,
    arg: string,
    value: unknown,
    referrer: string,
    missing: (type: string, key: string) => void,
  ): unknown {
    const reference = definition.references[arg];
    if (reference === undefined) return value;
    return mapReferences(reference, value, ({ to }, inner) => {
      if (typeof inner !== "string" || !placed.has(to)) return inner;
      const file = this.nearest(to, inner, referrer);
      if (file === undefined) missing(to, inner);
      return file === undefined ? inner : getLastKey(file);
    });
  }

  /** Of several entries of the same name, returns the one with the most common ancestors. */
  private nearest(type: string, key: string, referrer: string): string | undefined {
    const all = (this.byKey.get(`${type}/${key}`) ?? [])
      .map(({ name }) => name)
      .filter((name) => this.toFile.has(name));
    const [best] = all.toSorted((a, b) => countCommonParts(b, referrer) - countCommonParts(a, referrer));
    return best === undefined ? this.external(type, key) : this.toFile.get(best);
  }

  private external(type: string, key: string): string | undefined {
    const section = findDefinition(type)?.document?.section;
    return this.toFile.get(buildNameIn(undefined, section ?? "", key));
  }
}

/** Converts the references in arguments to names in the file. */
export function translateArgs(
  names: RemoteNames,
  { definition, name }: Pick<DiscoveredObject, "definition" | "name">,
  args: Fields,
  missing: (type: string, key: string) => void,
): Fields {
  return Object.fromEntries(
    Object.entries(args).map(([arg, value]) => [arg, names.asFile(definition, arg, value, name, missing)]),
  );
}

/** Groups objects or entries by section. */
export function groupBySection<T extends { readonly name: string }>(all: readonly T[]): Map<string, T[]> {
  return groupBy(all, ({ name }) => getSectionOf(name));
}
