/** Locates the entry of a logical name in a composed document. */
import { unescapeKey } from "../../provider/definition/logical-name.js";
import type { PropertyPath } from "../../provider/definition/problems.js";
import { leafValue, type MapTree, type Tree } from "../syntax/tree.js";
import { itemKey, sectionsOf, shapeUnder, type Placed, type DocumentShape } from "../compose/shape.js";
import { Refusal } from "./types.js";

/** Step into a file: by key, to the item of a name, to a plain item, or by index. */
export type LocationStep =
  | { readonly key: string }
  | { readonly item: string; readonly by: readonly string[] }
  | { readonly text: string }
  | { readonly index: number };

/** Location of an entry. */
export interface EntryLocation {
  readonly kind: Placed;
  readonly key: string;
  /** Path and steps of the entry that contains the section. Empty for the document. */
  readonly parent: { readonly path: PropertyPath; readonly steps: readonly LocationStep[] };
  readonly section: string;
  /** Path of the entry, if it exists. */
  readonly path: PropertyPath | undefined;
  readonly steps: readonly LocationStep[];
  readonly tree: Tree | undefined;
}

/** @throws {Refusal} when a parent does not exist, or the name is invalid */
export function locate(document: MapTree, name: string): EntryLocation {
  const words = name.split("/");
  let parent: { path: PropertyPath; steps: readonly LocationStep[]; tree: Tree; type: string | undefined } = {
    path: [],
    steps: [],
    tree: document,
    type: undefined,
  };
  let location: EntryLocation | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [section = "", escaped] = words.slice(at, at + 2);
    const kind = sectionsOf(parent.type).get(section);
    if (escaped === undefined || kind === undefined)
      throw new Refusal("not-there", `${name} is not the logical name of an entry in a workspace file`);
    const key = unescapeKey(escaped);
    const found = entryIn(parent.tree, kind, key);
    const steps = [...parent.steps, { key: section }, stepTo(kind, key)];
    const path = found && [...parent.path, section, found.step];
    location = { kind, key, parent, section, path, steps, tree: found?.tree };
    if (at + 2 >= words.length) break;
    if (found === undefined)
      throw new Refusal("not-there", `${words.slice(0, at + 2).join("/")} is not in the workspace file`);
    parent = { path: path ?? [], steps, tree: found.tree, type: kind.type };
  }
  if (location === undefined) throw new Refusal("not-there", "a logical name is not empty");
  return location;
}

/** @throws {Refusal} when the entry does not exist */
export function existing(
  document: MapTree,
  name: string,
): EntryLocation & { path: PropertyPath; tree: Tree } {
  const location = locate(document, name);
  const { path, tree } = location;
  if (path === undefined || tree === undefined)
    throw new Refusal("not-there", `${name} is not in the workspace file`);
  return { ...location, path, tree };
}

export function stepTo({ document }: Placed, key: string): LocationStep {
  if (document.form === "map") return { key };
  return document.form === "list" ? { item: key, by: ["key", document.keyedBy] } : { text: key };
}

function entryIn(parent: Tree, kind: Placed, key: string): { step: string | number; tree: Tree } | undefined {
  const { section, form } = kind.document;
  const written = parent.kind === "map" ? parent.entries.get(section)?.value : undefined;
  if (form === "map" && written?.kind === "map") {
    const tree = written.entries.get(key)?.value;
    return tree && { step: key, tree };
  }
  if (written?.kind !== "list" || form === "map") return undefined;
  const step = written.items.findIndex((item) =>
    form === "list" ? itemKey(item, kind) === key : textOfLeaf(item) === key,
  );
  const tree = written.items[step];
  return tree && { step, tree };
}

/** Converts a path below an entry to steps: items of ordered sections by their keys. */
export function stepsBelow(entry: Tree, kind: Placed, path: PropertyPath): LocationStep[] {
  const steps: LocationStep[] = [];
  let [tree, shape]: [Tree | undefined, DocumentShape] = [entry, { is: "entry", kind }];
  for (const part of path) {
    const inSection: Placed | undefined = shape.is === "section" ? shape.kind : undefined;
    if (typeof part === "number") {
      const item: Tree | undefined = tree?.kind === "list" ? tree.items[part] : undefined;
      const key = item && inSection?.document.form === "list" ? itemKey(item, inSection) : undefined;
      steps.push(inSection && key !== undefined ? stepTo(inSection, key) : { index: part });
      shape = inSection ? { is: "entry", kind: inSection } : { is: "plain" };
      tree = item;
      continue;
    }
    const below: Tree | undefined = tree?.kind === "map" ? tree.entries.get(part)?.value : undefined;
    steps.push({ key: part });
    shape = below ? shapeUnder(shape, part, below) : { is: "plain" };
    tree = below;
  }
  return steps;
}

function textOfLeaf(tree: Tree): string | undefined {
  const value = leafValue(tree);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
