/** Finds entries whose object was deleted, and lists whose order has changed. Unread and excluded objects do not count. */
import { type Gap, type Discovery, type DiscoveredObject, definitions } from "../../../../provider/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import type { ExportScope } from "../scope.js";
import { getParentOf, getLastKey, getSectionOf, type RemoteNames } from "./names-in-file.js";
import { listKindsUnder } from "../../../../provider/definition/placement.js";
import type { Edit } from "../../../../workspace-file/edit/index.js";
import type { Pair } from "./differ.js";

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
