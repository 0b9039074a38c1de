/** Entries of a composed document, by section and by logical name. */
import { escapeKey } from "../../../provider/definition/logical-name.js";
import { leafValue, valueOf, type MapTree, type Position, type Tree } from "../../../workspace-file/index.js";
import type { Fields } from "../../../provider/index.js";
import { itemKey, sectionsOf, shapeUnder, type Placed } from "../../../workspace-file/compose/shape.js";
import { isHeld } from "../../../workspace-file/load/exclusive-sections.js";

export interface EntryTree {
  readonly key: string;
  /** Logical name. */
  readonly name: string;
  readonly tree: Tree;
  /** Where it is named. */
  readonly at: Position;
}

/** A section of an entry (of the document, without a type), unless it is an argument of that entry. */
export function sectionAt(holder: MapTree, type: string | undefined, kind: Placed): Tree | undefined {
  const written = holder.entries.get(kind.document.section)?.value;
  if (written === undefined || isHeld(kind, valueOf(holder) as Fields)) return undefined;
  const of = type === undefined ? undefined : placed(type);
  return shapeUnder({ is: "entry", kind: of }, kind.document.section, written).is === "section"
    ? written
    : undefined;
}

export function entriesIn(written: Tree, kind: Placed, holder: string): EntryTree[] {
  const { section, form } = kind.document;
  const name = (key: string) => `${holder === "" ? "" : `${holder}/`}${section}/${escapeKey(key)}`;
  if (written.kind === "map")
    return [...written.entries].map(([key, member]) => ({
      key,
      name: name(key),
      tree: member.value,
      at: member.key,
    }));
  if (written.kind !== "list") return [];
  return written.items.flatMap((tree) => {
    const plain = leafValue(tree);
    const text = typeof plain === "string" || typeof plain === "number" ? String(plain) : undefined;
    const key = form === "list" ? itemKey(tree, kind) : text;
    return key === undefined ? [] : [{ key, name: name(key), tree, at: tree.at }];
  });
}

/** The entry of a logical name, with its type; the document itself for an empty one. */
export function kindNamed(
  document: MapTree,
  name: string,
): { tree: MapTree; type: string | undefined } | undefined {
  let at: { tree: MapTree; type: string | undefined } = { tree: document, type: undefined };
  const words = name === "" ? [] : name.split("/");
  for (let index = 0; index < words.length; index += 2) {
    const kind = sectionsOf(at.type).get(words[index] ?? "");
    const written = kind && sectionAt(at.tree, at.type, kind);
    const wanted = words.slice(0, index + 2).join("/");
    const holder = words.slice(0, index).join("/");
    if (kind === undefined || written === undefined) return undefined;
    const entry = entriesIn(written, kind, holder).find((one) => one.name === wanted);
    if (entry?.tree.kind !== "map") return undefined;
    at = { tree: entry.tree, type: kind.type };
  }
  return at;
}

const kinds = new Map<string, Placed>();

function placed(type: string): Placed | undefined {
  if (kinds.size === 0) {
    const visit = (of: string | undefined): void => {
      for (const kind of sectionsOf(of).values()) {
        if (kinds.has(kind.type)) continue;
        kinds.set(kind.type, kind);
        visit(kind.type);
      }
    };
    visit(undefined);
  }
  return kinds.get(type);
}
