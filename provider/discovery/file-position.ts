/** The position of an object in a workspace file: its section, its logical name and its key. */
import type { RemoteObject } from "../../resources/definition/definition.js";
import { buildNameIn } from "../../resources/definition/logical-name.js";
import type { DocumentKind as Kind } from "../../resources/definition/placement.js";
import type { ManagedObject } from "./unmanaged.js";

/** An object that contains others. */
export type Parent = Omit<ManagedObject, "type">;

export function buildNameUnder(parent: Parent | undefined, kind: Kind, key: string): string {
  return buildNameIn(parent?.name, kind.document.section, key);
}

export function getSectionUnder(parent: Parent | undefined, { document }: Kind): string {
  return parent === undefined ? document.section : `${parent.name}/${document.section}`;
}

/** The key of an object whose key would be an id: in a plain list the id, otherwise with the name of the person. */
export function getKeyOfNumber(kind: Kind, remote: RemoteObject): string {
  const number = String(remote[kind.identity.apiName]);
  const { name } = remote;
  return kind.document.form === "keys" || typeof name !== "string" ? number : `${name} (${number})`;
}
