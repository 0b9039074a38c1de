/** Updates the order of entries in ordered lists. */
import { definitions, type DiscoveredObject } from "../../../../provider/index.js";
import { kindsUnder } from "../../../../provider/definition/placement.js";
import type { Edit } from "../../../../workspace-file/edit/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { lastKey, type RemoteNames } from "./names.js";
import type { Pair } from "./differ.js";

type Add = Extract<Edit, { add: unknown }>["add"];

/** Puts an addition to an ordered section behind the entry that precedes it. */
export function placed(
  add: Add,
  object: DiscoveredObject,
  siblings: readonly DiscoveredObject[],
  names: RemoteNames,
): Add {
  if (object.definition.document?.order === undefined) return add;
  const before = siblings.slice(0, siblings.indexOf(object)).map(({ name }) => names.file(name));
  const last = before.findLast((name) => name !== undefined);
  return { ...add, after: last === undefined ? null : lastKey(last) };
}

type Sections<T> = ReadonlyMap<string, readonly T[]>;

/**
 * Finds ordered sections of an entry whose order has changed.
 * @param declared entries of the file that remain
 */
export function orders(
  { declared: { definition, name }, live }: Pair,
  objects: Sections<DiscoveredObject>,
  declared: Sections<ResourceDeclaration>,
  names: RemoteNames,
): Edit[] {
  const kinds = kindsUnder(definitions, definition.type).filter(({ document }) => document.order);
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
    return [{ order: { name, section, keys: keys.map(lastKey) } }];
  });
}
