/** Entries that a document only refers to (`external: true`). */
import { escapeKey } from "../../provider/definition/logical-name.js";
import { leafValue, type MapTree, type Tree } from "../syntax/tree.js";
import { itemKey, sectionsOf, type Placed } from "../compose/shape.js";

export interface ExternalEntry {
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  readonly key: string;
}

/** Returns all external entries, parents first. */
export function externalEntries(document: MapTree): ExternalEntry[] {
  return entriesBelow(document, undefined, "");
}

function entriesBelow(holder: MapTree, type: string | undefined, above: string): ExternalEntry[] {
  return [...sectionsOf(type)].flatMap(([section, kind]) =>
    itemsOf(holder.entries.get(section)?.value, kind).flatMap(([key, entry]) => {
      if (entry.kind !== "map") return [];
      const name = `${above}${section}/${escapeKey(key)}`;
      const external = leafValue(entry.entries.get("external")?.value) === true;
      const below = entriesBelow(entry, kind.type, `${name}/`);
      return external ? [{ type: kind.type, name, key }, ...below] : below;
    }),
  );
}

function itemsOf(section: Tree | undefined, kind: Placed): [string, Tree][] {
  if (section?.kind === "map" && kind.document.form === "map")
    return [...section.entries].map(([key, { value }]) => [key, value]);
  if (section?.kind !== "list" || kind.document.form !== "list") return [];
  return section.items.flatMap((item): [string, Tree][] => {
    const key = itemKey(item, kind);
    return key === undefined ? [] : [[key, item]];
  });
}
