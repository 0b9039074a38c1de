/** Meaning of the parts of a document, by which documents are merged. */
import { type DocumentKind, listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import { definitions } from "../../resources/index.js";
import { documentHead, documentReuse } from "../document/properties.js";
import {
  findLeafValue,
  listTree,
  type MapTree,
  mapTree,
  type Tree,
  type TreeMember,
  withMembers,
} from "../syntax/tree.js";

/** Document, entry of a type, section of entries of a type, or any other value. */
export type DocumentShape =
  | { readonly is: "entry"; readonly kind: DocumentKind | undefined }
  | { readonly is: "section"; readonly kind: DocumentKind }
  | { readonly is: "plain" };

/** The whole file: an entry without a kind that contains the top sections. */
export const DOCUMENT: DocumentShape = { is: "entry", kind: undefined };
const PLAIN: DocumentShape = { is: "plain" };

/** Returns the shape of the value of a key. */
export function getShapeUnder(shape: DocumentShape, key: string, isList: boolean): DocumentShape {
  if (shape.is === "section") return { is: "entry", kind: shape.kind };
  if (shape.is === "plain") return PLAIN;
  const kind = getSections(shape.kind?.type).get(key);
  // An argument may have the name of a section that is a map. A list is then the argument.
  return kind === undefined || (kind.document.form === "map" && isList) ? PLAIN : { is: "section", kind };
}

const known = new Map<string, ReadonlyMap<string, DocumentKind>>();

/** Returns the kinds of the sections in an entry of a type, or in the file, by section. */
export function getSections(type: string = WORKSPACE): ReadonlyMap<string, DocumentKind> {
  let sections = known.get(type);
  if (sections === undefined) {
    sections = new Map(listKindsUnder(definitions, type).map((kind) => [kind.document.section, kind]));
    known.set(type, sections);
  }
  return sections;
}

/** Returns the keys by which a workspace file is recognized: those at the top, and sections that may have got there by mistake. */
export function listDocumentKeys(): string[] {
  const sections = definitions.flatMap(({ document }) => document?.section ?? []);
  return [...new Set([...Object.keys({ ...documentHead, ...documentReuse }), ...sections])];
}

/** Returns the key of an item of an ordered section. */
export function findItemKey(item: Tree, kind: DocumentKind): string | undefined {
  if (item.kind !== "map") return undefined;
  const member = item.entries.get("key") ?? item.entries.get(kind.document.keyedBy);
  const key = findLeafValue(member?.value);
  return typeof key === "string" && key !== "" ? key : undefined;
}

/**
 * Changes every entry of a document, outer ones first, so that added entries are changed too. In an ordered section one
 * entry may become several. In a map only the first of them counts.
 */
export function mapEntries(
  parent: MapTree,
  change: (entry: Tree, kind: DocumentKind) => readonly Tree[],
  type?: string,
): MapTree {
  const changes: Record<string, Tree> = {};
  for (const [section, kind] of getSections(type)) {
    const written = parent.entries.get(section)?.value;
    const changed = (entry: Tree) =>
      change(entry, kind).map((part) => (part.kind === "map" ? mapEntries(part, change, kind.type) : part));
    // An argument may have the name of a section that is a map. A list is then the argument.
    if (written?.kind === "map" && kind.document.form === "map") {
      const entries = [...written.entries].map(([key, member]): [string, TreeMember] => {
        const [value = member.value] = changed(member.value);
        return [key, { ...member, value }];
      });
      changes[section] = mapTree(new Map(entries), written.at);
    } else if (written?.kind === "list" && kind.document.form === "list") {
      changes[section] = listTree(written.items.flatMap(changed), written.at);
    }
  }
  return withMembers(parent, changes);
}
