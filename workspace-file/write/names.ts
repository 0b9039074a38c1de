/** Splits logical names into the keys that they consist of. */
import { LogicalName, unescapeKey, type NameStep } from "../../provider/definition/logical-name.js";
import type { ResourceDeclaration } from "../load/resource-declaration.js";

/** Returns the sections and keys that lead to a declaration. The last step is its own. */
export function placementOf({ name }: Pick<ResourceDeclaration, "name">): readonly NameStep[] {
  const { steps } = new LogicalName(name);
  if (steps.length === 0) throw new TypeError(`${name} is not a logical name`);
  return steps;
}

/** Returns the former keys of a declaration in its current section. */
export function formerKeys({ name, formerNames }: ResourceDeclaration): string[] {
  const holder = name.slice(0, name.lastIndexOf("/") + 1);
  return formerNames
    .filter((former) => former.startsWith(holder) && !former.slice(holder.length).includes("/"))
    .map((former) => unescapeKey(former.slice(holder.length)));
}

/** Returns the key by which a reference names a declaration. */
export function keyOfName(name: string): string {
  return unescapeKey(name.slice(name.lastIndexOf("/") + 1));
}
