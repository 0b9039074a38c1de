/** What the parts of a document stand for, so that documents are merged by what they mean. */
import { kindsUnder, WORKSPACE } from "../../provider/definition/placement.js";
import {
  leafValue,
  listTree,
  mapTree,
  withMembers,
  type MapTree,
  type TreeMember,
  type Tree,
} from "../syntax/tree.js";
import { definitions, type Definition } from "../../provider/index.js";

export type Placed = Definition & { readonly document: NonNullable<Definition["document"]> };

/** A document, an entry of a type, a section of entries of a type, or anything else. */
export type DocumentShape =
  | { readonly is: "entry"; readonly kind: Placed | undefined }
  | { readonly is: "section"; readonly kind: Placed }
  | { readonly is: "plain" };

/** The whole file: an entry of no kind, that holds the top sections. */
export const DOCUMENT: DocumentShape = { is: "entry", kind: undefined };
const PLAIN: DocumentShape = { is: "plain" };

/** What stands under a key of a part. */
export function shapeUnder(shape: DocumentShape, key: string, value: Tree): DocumentShape {
  if (shape.is === "section") return { is: "entry", kind: shape.kind };
  if (shape.is === "plain") return PLAIN;
  const kind = sectionsOf(shape.kind?.type).get(key);
  // An argument may have the name of a section of a map's form: then a list is the argument.
  return kind === undefined || (kind.document.form === "map" && value.kind === "list")
    ? PLAIN
    : { is: "section", kind };
}

const known = new Map<string, ReadonlyMap<string, Placed>>();

/** The kinds that may stand under an entry of a type, by section; of the file, when no type is given. */
export function sectionsOf(type: string = WORKSPACE): ReadonlyMap<string, Placed> {
  let sections = known.get(type);
  if (sections === undefined) {
    sections = new Map(kindsUnder(definitions, type).map((kind) => [kind.document.section, kind]));
    known.set(type, sections);
  }
  return sections;
}

/** Key of an item of an ordered section. */
export function itemKey(item: Tree, kind: Placed): string | undefined {
  if (item.kind !== "map") return undefined;
  const member = item.entries.get("key") ?? item.entries.get(kind.document.keyedBy);
  const key = leafValue(member?.value);
  return typeof key === "string" && key !== "" ? key : undefined;
}

/**
 * Changes every entry of a document, outer ones first, so that what an entry gets is changed too. In an ordered section one
 * entry may become several; in a map it becomes the first.
 */
export function mapEntries(
  holder: MapTree,
  change: (entry: Tree, kind: Placed) => readonly Tree[],
  type?: string,
): MapTree {
  const changes: Record<string, Tree> = {};
  for (const [section, kind] of sectionsOf(type)) {
    const written = holder.entries.get(section)?.value;
    if (written === undefined || shapeUnder(shapeOf(type), section, written).is === "plain") continue;
    const changed = (entry: Tree) =>
      change(entry, kind).map((part) => (part.kind === "map" ? mapEntries(part, change, kind.type) : part));
    if (written.kind === "map" && kind.document.form === "map") {
      const entries = [...written.entries].map(([key, member]): [string, TreeMember] => {
        const [value = member.value] = changed(member.value);
        return [key, { ...member, value }];
      });
      changes[section] = mapTree(new Map(entries), written.at);
    } else if (written.kind === "list" && kind.document.form === "list") {
      changes[section] = listTree(written.items.flatMap(changed), written.at);
    }
  }
  return withMembers(holder, changes);
}

function shapeOf(type: string | undefined): DocumentShape {
  const kind = definitions.find((d): d is Placed => d.type === type && d.document !== undefined);
  return { is: "entry", kind };
}
