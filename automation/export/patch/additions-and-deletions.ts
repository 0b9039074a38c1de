/** Adds entries for new objects, removes those whose object was deleted, and updates the order of lists. Unread and excluded objects do not count. */
import { mapDeep } from "../../../diff/values.js";
import {
  definitions,
  type DiscoveredObject,
  type Discovery,
  type Fields,
  type Gap,
  getArgsSchema,
} from "../../../provider/index.js";
import { escapeKey, LogicalName } from "../../../resources/definition/logical-name.js";
import { listKindsUnder } from "../../../resources/definition/placement.js";
import { chooseFreeName } from "../../../text/lists.js";
import { AsWritten, type Edit, hasPlaceholder, joinWritten } from "../../../workspace-file/edit/edit.js";
import { escapePlaceholders, splitPieces, unescapePlaceholders } from "../../../workspace-file/index.js";
import { createPlainDeclaration, type ResourceDeclaration } from "../../../workspace-file/load/load.js";
import { documentOf } from "../../../workspace-file/write/write.js";
import type { ExportScope } from "../scope.js";
import { formatPlaceholderOf } from "../written-values.js";
import type { Pair } from "./differ.js";
import { getLastKey, getParentOf, getSectionOf, type RemoteNames, translateArgs } from "./existing-file.js";
import { KeptText } from "./keep-placeholders.js";

interface NewEntry {
  readonly edit: Extract<Edit, { add: unknown }>;
  /** The objects that it declares. */
  readonly objects: readonly DiscoveredObject[];
}

interface Surroundings {
  /** The arguments that a new file would have, by name at the service. */
  readonly newArgs: ReadonlyMap<string, Fields>;
  readonly names: RemoteNames;
  /** Names of the entries of the file. */
  readonly used: ReadonlySet<string>;
  /** Arguments that `defaults` set, by type. */
  readonly defaults: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether new entries get `adopt: true`. */
  readonly adopts: boolean;
  /** Called for each reference without an entry. */
  readonly missing: (type: string, key: string) => void;
}

/** Returns an edit for each new object whose parent is in the file, in order. */
export function listAdditions(objects: readonly DiscoveredObject[], around: Surroundings): NewEntry[] {
  const { names } = around;
  const used = new Set(around.used);
  const fresh = new Set(objects.map(({ name }) => name));
  const outer = objects.filter(({ name }) => !fresh.has(getParentOf(name)));
  // Names first: they refer to each other.
  for (const one of objects) {
    const { name } = one;
    const section = `${buildPrefix(names.file(getParentOf(name)) ?? "")}${name.split("/").at(-2)}`;
    // The entry of another object may have the key already.
    const free = chooseFreeName(
      (other) => used.has(other),
      (suffix) => `${section}/${escapeKey(getPlainKey(one))}${suffix}`,
      ...(one.definition.sharedKey === undefined ? [] : [" "]),
    );
    used.add(free);
    names.tie(free, name);
  }
  return outer.map((one) => {
    const name = names.file(one.name) ?? one.name;
    const within = objects.filter((other) => other === one || other.name.startsWith(`${one.name}/`));
    // In a document of its own: the entries around other additions are not declared, and would be among its items.
    const declarations = within.map((other) => createDeclaration(other, around));
    const document = documentOf({ declarations }, { separate: true });
    return { edit: { add: { name, entry: toPlain(buildEntry(document, name, one)) } }, objects: within };
  });
}

/** The key that an object would have if no other one shared its name. */
function getPlainKey({ definition, args, key }: DiscoveredObject): string {
  const name = definition.sharedKey === undefined ? key : args[definition.document?.keyedBy ?? ""];
  return typeof name === "string" ? name : key;
}

const buildPrefix = (parent: string) => (parent === "" ? "" : `${parent}/`);

function createDeclaration(
  object: DiscoveredObject,
  { newArgs, names, defaults, adopts, missing }: Surroundings,
): ResourceDeclaration {
  const { definition } = object;
  const fresh = newArgs.get(object.name) ?? {};
  const own = Object.keys(getArgsSchema(definition, object.args).shape);
  const usual = [...(defaults.get(definition.type) ?? [])].filter(
    (arg) => own.includes(arg) && !(arg in fresh),
  );
  // Values that differ from the defaults of the file must be written.
  const otherwise = Object.fromEntries(usual.map((arg) => [arg, object.args[arg] ?? null]));
  const args = translateArgs(names, object, { ...fresh, ...otherwise }, missing);
  const adoption = adopts && !definition.adoptsExisting ? { adopt: true } : {};
  return createPlainDeclaration(definition, names.file(object.name) ?? object.name, { ...args, ...adoption });
}

/** Finds the entry in a document that has all of them. */
function buildEntry(document: object, name: string, { definition, args }: DiscoveredObject): unknown {
  const { form, keyedBy = "" } = definition.document ?? {};
  // An entry of a plain list of keys is only a key, which may be an id.
  if (form === "keys") return typeof args[keyedBy] === "number" ? args[keyedBy] : null;
  let entry: unknown = document;
  for (const { section, key } of new LogicalName(name).steps)
    entry = createItem((entry as Fields)[section], section, key);
  return entry;
}

function createItem(parent: unknown, section: string, key: string): unknown {
  if (!Array.isArray(parent)) return (parent as Fields)[key];
  const kind = definitions.find(({ document }) => document?.section === section && document.form === "list");
  const { keyedBy = "" } = kind?.document ?? {};
  return (parent as Fields[]).find((item) => unescapeText(item["key"] ?? item[keyedBy]) === key);
}

const unescapeText = (text: unknown) => (typeof text === "string" ? unescapePlaceholders(text) : text);

/** Converts the texts of a document to those of an edit: plain, or with their placeholders. */
function toPlain(value: unknown): unknown {
  return mapDeep(value, (text) =>
    typeof text === "string" && hasPlaceholder(text) ? new AsWritten(text) : unescapeText(text),
  );
}

/** Converts the texts of an edit to those of a document. */
export function toWrittenEntry(value: unknown): unknown {
  return mapDeep(value, (text) => {
    if (text instanceof AsWritten) return text.text;
    return typeof text === "string" ? escapePlaceholders(text) : text;
  });
}

/**
 * Renames the variables of placeholders that the file uses for another value.
 * @param used variables in use; the new ones are added
 */
export function withFreeVariables(
  value: unknown,
  used: Set<string>,
  onVariable: (from: string, to: string) => void,
): unknown {
  return mapDeep(value, (part) => {
    if (part instanceof KeptText) return part;
    if (!(part instanceof AsWritten)) return part;
    const pieces = splitPieces(part.text).map((piece) => {
      if (typeof piece !== "object" || piece.kind !== "env") return piece;
      const free = chooseFreeName(
        (name) => used.has(name),
        (suffix) => piece.body + suffix,
        "_",
      );
      used.add(free);
      onVariable(piece.body, free);
      return new AsWritten(formatPlaceholderOf(free, piece.secret));
    });
    return (
      joinWritten(
        pieces.map((piece) =>
          typeof piece === "object" && !(piece instanceof AsWritten) ? new AsWritten(piece.whole) : piece,
        ),
      ) ?? part
    );
  });
}

/** @param missing entries without an object, with the name that the object would have */
export function listDeletionsFrom(
  missing: ReadonlyMap<ResourceDeclaration, string>,
  discovery: Pick<Discovery, "sections" | "objects">,
  gaps: readonly Gap[],
  scope: ExportScope,
): ResourceDeclaration[] {
  const shown = new Set(
    discovery.objects.filter(isNamed).map(({ definition, name }) => `${definition.type} ${name}`),
  );
  const hidden = gaps.filter(({ type, name, only }) => only === undefined && !shown.has(`${type} ${name}`));
  const named = new Set(gaps.map(({ type, only }) => `${type} ${only}`));
  const unsure = new Set(hidden.map(({ type, name }) => `${type} ${name === undefined ? "" : name}`));
  // A gap names an object, or the parent of a list.
  const sections = new Set(
    hidden.flatMap(({ type, name }) => (name === undefined ? [] : [`${type} ${getSectionOf(name)}`])),
  );
  return [...missing]
    .filter(([{ definition }, name]) => {
      const { type } = definition;
      const section = getSectionOf(name);
      const parent = getParentOf(name);
      if (named.has(`${type} ${name}`)) return false;
      if (!discovery.sections.has(section) || !scope.includes({ definition, name })) return false;
      return !unsure.has(`${type} ${parent}`) && !sections.has(`${type} ${section}`);
    })
    .map(([declared]) => declared);
}

/** Whether the key is known: an object without one may be the missing object. */
function isNamed({ definition, args }: DiscoveredObject): boolean {
  return args[definition.document?.keyedBy ?? ""] !== undefined;
}

type Add = Extract<Edit, { add: unknown }>["add"];

/** Puts an addition to an ordered section behind the entry that precedes it. */
export function placeAddition(
  add: Add,
  object: DiscoveredObject,
  siblings: readonly DiscoveredObject[],
  names: RemoteNames,
): Add {
  if (object.definition.document?.order === undefined) return add;
  const before = siblings.slice(0, siblings.indexOf(object)).map(({ name }) => names.file(name));
  const last = before.findLast((name) => name !== undefined);
  return { ...add, after: last === undefined ? null : getLastKey(last) };
}

type Sections<T> = ReadonlyMap<string, readonly T[]>;

/**
 * Finds ordered sections of an entry whose order has changed.
 * @param declared entries of the file that remain
 */
export function listOrders(
  { declared: { definition, name }, live }: Pair,
  objects: Sections<DiscoveredObject>,
  declared: Sections<ResourceDeclaration>,
  names: RemoteNames,
): Edit[] {
  const kinds = listKindsUnder(definitions, definition.type).filter(({ document }) => document.order);
  return kinds.flatMap(({ document: { section } }): Edit[] => {
    const now = (objects.get(`${live.name}/${section}`) ?? [])
      .map((one) => names.file(one.name))
      .filter((file) => file !== undefined);
    const before = (declared.get(`${name}/${section}`) ?? []).map((one) => one.name);
    const common = before.filter((file) => now.includes(file));
    const wanted = now.filter((file) => common.includes(file));
    if (common.every((file, index) => file === wanted[index])) return [];
    // An unread item stays behind the item that precedes it.
    const keys = [...now];
    before.forEach((file, index) => {
      if (!keys.includes(file)) keys.splice(keys.indexOf(before[index - 1] ?? "") + 1, 0, file);
    });
    return [{ order: { name, section, keys: keys.map(getLastKey) } }];
  });
}
