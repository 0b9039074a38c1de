/** Objects of a workspace file with all their arguments, for rules of the user's own and for questions about the file. */
import type { z } from "zod";
import { isRecord } from "../../diff/structural-diff.js";
import {
  type DocumentKind,
  listArgsFromParent,
  listKindsUnder,
  WORKSPACE,
} from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { getDefault } from "../../resources/definition/server-defaults.js";
import { type Definition, definitions, type Fields } from "../../resources/index.js";
import { findPartAt, getValue, type MapTree } from "../syntax/tree.js";
import { type Entry, listEntries } from "./entries.js";
import { getExclusiveArgument, locateInFile } from "./exclusive-sections.js";

/** Type of the file as a whole. */
export const WORKSPACE_TYPE = "Workspace";

/** Types of objects that a workspace file can declare. */
export const objectTypes = [
  WORKSPACE_TYPE,
  ...definitions.filter(({ document }) => document !== undefined).map(({ type }) => type),
] as [string, ...string[]];

/** Object with its location in the document. */
export class ObjectInFile {
  readonly sections: Record<string, ObjectInFile[]> = {};

  constructor(
    readonly type: string,
    readonly name: string,
    readonly external: boolean,
    readonly args: Fields,
    readonly parent: ObjectInFile | undefined,
    /** Path of the object. */
    readonly path: PropertyPath,
    /** Returns the path of a part of the arguments. */
    readonly pathOf: (inArgs: PropertyPath) => PropertyPath,
  ) {}

  children(type: string): readonly ObjectInFile[] {
    return Object.values(this.sections)
      .flat()
      .filter((child) => child.type === type);
  }
}

/**
 * Returns the workspace, which contains all other objects.
 * @param tree composed document without secrets
 */
export function collectObjects(tree: MapTree): ObjectInFile {
  const value = getValue(tree) as Fields;
  const head = Object.fromEntries(["workspace", "connection"].map((name) => [name, value[name] ?? null]));
  const root = new ObjectInFile(WORKSPACE_TYPE, "", false, head, undefined, [], (path) => path);
  addSections(root, WORKSPACE);
  const known = new Map<Entry, ObjectInFile>();
  for (const entry of listEntries(tree)) {
    const { definition, name, external, written, path, key } = entry;
    const parent = entry.parent === undefined ? root : known.get(entry.parent);
    if (parent === undefined || definition.document === undefined) continue;
    const scalar = findPartAt(tree, path)?.kind === "leaf";
    const args = external ? { [definition.document.keyedBy]: key } : written;
    const all = {
      ...addMissingArgs(definition, args),
      ...listArguments(definition, args, entry.exclusiveSections),
    };
    const object = new ObjectInFile(definition.type, name, external, all, parent, path, (inArgs) =>
      scalar ? path : [...path, ...locateInFile(entry.exclusiveSections, inArgs)],
    );
    parent.sections[definition.document.section]?.push(object);
    addSections(object, definition.type);
    addExclusive(object, entry);
    known.set(entry, object);
  }
  return root;
}

/** Returns an object and everything below it. */
export function* withDescendants(object: ObjectInFile): Generator<ObjectInFile> {
  yield object;
  for (const child of Object.values(object.sections).flat()) yield* withDescendants(child);
}

function addSections(object: ObjectInFile, parentType: string): void {
  for (const { document } of listKindsUnder(definitions, parentType)) object.sections[document.section] = [];
}

/** Adds the objects of sections that are an argument of the entry (`exclusive: true`). They are objects like others. */
function addExclusive(object: ObjectInFile, { definition, exclusiveSections, path }: Entry): void {
  for (const kind of listKindsUnder(definitions, definition.type)) {
    const { section, keyedBy } = kind.document;
    const items = getExclusiveArgument(kind, exclusiveSections[section]);
    if (!Array.isArray(items)) continue;
    object.sections[section] = items.map((item: unknown, index) => {
      const args = isRecord(item) ? item : { [keyedBy]: item };
      const name = `${object.name}/${section}/${String(args[keyedBy])}`;
      const at = [...path, ...locateInFile(exclusiveSections, [section, index])];
      return new ObjectInFile(kind.type, name, false, addMissingArgs(kind, args), object, at, (inArgs) => [
        ...at,
        ...inArgs,
      ]);
    });
  }
}

/** Returns the arguments with those that are not written: the default, an empty list, or null. */
export function addMissingArgs(definition: Definition, args: Fields): Fields {
  const all: Record<string, unknown> = {};
  for (const [name, isList] of listArgumentNames(definition)) {
    const written = args[name] ?? undefined;
    all[name] = written ?? getDefault(definition, args, name) ?? (isList ? [] : null);
  }
  return all;
}

/** Returns the arguments that have the name of a section, and are written as a list in the service's own format. */
function listArguments(definition: Definition, args: Fields, exclusive: Fields): Fields {
  const sections = listKindsUnder(definitions, definition.type).map(({ document }) => document.section);
  const lists = sections.filter((name) => Array.isArray(args[name]) && !Object.hasOwn(exclusive, name));
  return Object.fromEntries(lists.map((name) => [name, args[name]]));
}

const namesByType = new Map<Definition, ReadonlyMap<string, boolean>>();

/** Returns the arguments of a type in all its variants, and whether they are lists. */
function listArgumentNames(definition: Definition): ReadonlyMap<string, boolean> {
  const known = namesByType.get(definition);
  if (known) return known;
  const shapes = [
    definition.args.shape,
    ...Object.values(definition.variants?.of ?? {}).map(({ args }) => args),
  ];
  const placed = listArgsFromParent(definition);
  const sections = listKindsUnder(definitions, definition.type).map(
    (kind: DocumentKind) => kind.document.section,
  );
  const names = new Map<string, boolean>();
  for (const [name, schema] of shapes.flatMap((shape) => Object.entries(shape))) {
    if (placed.includes(name) || sections.includes(name)) continue;
    names.set(name, (names.get(name) ?? false) || isList(schema as z.ZodType));
  }
  namesByType.set(definition, names);
  return names;
}

function isList(schema: z.ZodType): boolean {
  const { type, innerType } = schema.def as { readonly type: string; readonly innerType?: z.ZodType };
  return type === "array" || (innerType !== undefined && isList(innerType));
}
