/** Splits logical names into the keys that they consist of. */
import { LogicalName, type NameStep } from "../../resources/definition/logical-name.js";
import type { ResourceDeclaration } from "../load/resource-declaration.js";

/** Returns the sections and keys that lead to a declaration. The last step is its own. */
export function splitPlacement({ name }: Pick<ResourceDeclaration, "name">): readonly NameStep[] {
  const { steps } = new LogicalName(name);
  if (steps.length === 0) throw new TypeError(`${name} is not a logical name`);
  return steps;
}

/** Returns the former keys of a declaration in its current section. */
export function listFormerKeys({ name, formerNames }: ResourceDeclaration): string[] {
  const { section } = new LogicalName(name);
  const former = formerNames.map((one) => new LogicalName(one));
  return former.filter((one) => one.section === section).map(({ key }) => key);
}

/** Returns the key by which a reference names a declaration. */
export function getKeyOfName(name: string): string {
  return new LogicalName(name).key;
}
