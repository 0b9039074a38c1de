/** Keys for objects of a list that share a name, as actions of a pipeline may. */
import type { Fields } from "../../resources/definition/definition.js";
import { chooseOwnKeys } from "../../resources/definition/logical-name.js";
import type { DocumentKind as Kind } from "../../resources/definition/placement.js";
import { buildNameUnder, type Parent } from "./file-position.js";

interface KeyedObject {
  readonly name: string;
  readonly key: string;
  readonly args: Fields;
  readonly outputs: Fields;
}

/** Gives objects that share a name keys of their own, and the numbers by which an adoption tells them apart. */
export function withOwnKeys<T extends { readonly name: string; readonly object: KeyedObject }>(
  kind: Kind,
  found: readonly T[],
  parent: Parent | undefined,
): T[] {
  const names = found.map(({ object }) => object.key);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const keys = chooseOwnKeys(names);
  return found.map((one, index) => {
    if (!repeated.has(one.object.key)) return one;
    const key = keys[index]!;
    const name = buildNameUnder(parent, kind, key);
    const number = { [kind.sharedKey!.number]: one.object.outputs[kind.identity.state] };
    return { ...one, name, object: { ...one.object, name, key, args: { ...one.object.args, ...number } } };
  });
}
