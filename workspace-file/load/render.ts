/** Renders a composed document without secrets. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import { escapePlaceholders } from "../compose/placeholders.js";
import {
  Interpolated,
  mapLeaves,
  mapTree,
  listTree,
  valueOf,
  type LeafTree,
  type Tree,
} from "../syntax/tree.js";
import { MASK, secretNames } from "../../provider/index.js";
import type { LoadedFile } from "./loaded-file.js";

/** Returns the plain value of a document. Secret values are shown as the placeholders that they come from, or masked. */
export function rendered({ tree, declarations }: Pick<LoadedFile, "tree" | "declarations">): unknown {
  const secrets = new PathSet();
  for (const { definition, args, path, secrets: given } of declarations) {
    for (const name of new Set([...secretNames(definition, args), ...given])) {
      secrets.add([...path, name]);
      // The short form of an entry is the value of this argument.
      if (name === definition.document?.scalar) secrets.add(path, true);
    }
  }
  return valueOf(hidden(tree, secrets.root));
}

function hidden(tree: Tree, secrets: Step | undefined): Tree {
  if (secrets?.all) return mapLeaves(tree, (leaf) => (leaf.value === null ? leaf : asWritten(leaf, MASK)));
  if (tree.kind === "leaf") return secrets?.leaf ? asWritten(tree, MASK) : shown(tree);
  if (tree.kind === "list") {
    const items = tree.items.map((item, index) => hidden(item, secrets?.under.get(String(index))));
    return listTree(items, tree.at);
  }
  const entries = [...tree.entries].map(
    ([key, member]) => [key, { ...member, value: hidden(member.value, secrets?.under.get(key)) }] as const,
  );
  return mapTree(new Map(entries), tree.at);
}

function shown(leaf: LeafTree): LeafTree {
  if (leaf.secret || leaf.mock || leaf.value instanceof Interpolated) return asWritten(leaf, MASK);
  return typeof leaf.value === "string" ? { ...leaf, value: escapePlaceholders(leaf.value) } : leaf;
}

function asWritten(leaf: LeafTree, otherwise: string): LeafTree {
  return { ...leaf, value: leaf.written ?? otherwise };
}

interface Step {
  /** Whether everything below is secret. */
  all: boolean;
  /** Whether the value is secret if it is a leaf. */
  leaf: boolean;
  readonly under: Map<string, Step>;
}

/** Set of paths as a tree of steps. */
class PathSet {
  readonly root: Step = { all: false, leaf: false, under: new Map() };

  add(path: PropertyPath, leafOnly = false): void {
    let at = this.root;
    for (const step of path) {
      const next = at.under.get(String(step)) ?? { all: false, leaf: false, under: new Map<string, Step>() };
      at.under.set(String(step), next);
      at = next;
    }
    if (leafOnly) at.leaf = true;
    else at.all = true;
  }
}
