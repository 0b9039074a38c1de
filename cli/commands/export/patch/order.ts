/** The order of entries that run one after the other. */
import { definitions, type DiscoveredObject } from "../../../../provider/index.js";
import { kindsUnder } from "../../../../provider/definition/placement.js";
import type { Edit } from "../../../../workspace-file/edit/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { lastKey, type RemoteNames } from "./names.js";
import type { Pair } from "./differ.js";

type Add = Extract<Edit, { add: unknown }>["add"];

/** Additions to ordered sections, each behind the entry of what runs before it. */
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
 * Sections of an entry whose items run in another order than the file says.
 * @param declared entries of the file that stay
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
    // What nobody could read stays behind what it stood behind.
    const keys = [...now];
    before.forEach((file, index) => {
      if (!keys.includes(file)) keys.splice(keys.indexOf(before[index - 1] ?? "") + 1, 0, file);
    });
    return [{ order: { name, section, keys: keys.map(lastKey) } }];
  });
}
