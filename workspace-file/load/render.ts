/** Renders a composed document without secrets. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import { escapePlaceholders } from "../compose/placeholders.js";
import {
  Interpolated,
  mapLeaves,
  mapTree,
  listTree,
  getValue,
  type LeafTree,
  type MapTree,
  type Tree,
} from "../syntax/tree.js";
import { MASK, listSecretNames } from "../../provider/index.js";
import type { LoadedFile } from "./loaded-file.js";

type Composed = Pick<LoadedFile, "tree" | "declarations">;

/** How values are shown. */
interface Display {
  /** Shows a text that is not secret. */
  readonly text: (text: string) => string;
  /** Shows a secret that is written out. */
  readonly literal: (value: LeafTree["value"]) => LeafTree["value"];
}

const maskValue = () => MASK;

/** Returns the plain value of a document. Secret values are shown as the placeholders that they come from, or masked. */
export function renderComposed(composed: Composed): unknown {
  return getValue(maskTree(composed, { text: escapePlaceholders, literal: maskValue }));
}

/** Returns the document with secret values replaced by the placeholders that they come from, or masked. */
export function withoutSecrets(composed: Composed): MapTree {
  return maskTree(composed, { text: (text) => text, literal: maskValue });
}

/** Does the same, but leaves secrets that are written out: lint rules look for them. */
export function withoutPlacedSecrets(composed: Composed): MapTree {
  return maskTree(composed, { text: (text) => text, literal: (value) => value });
}

function maskTree({ tree, declarations }: Composed, display: Display): MapTree {
  const secrets = new PathSet();
  for (const { definition, args, path, secrets: given } of declarations) {
    for (const name of [...listSecretNames(definition, args), ...given]) secrets.add([...path, name]);
  }
  return hideSecrets(tree, secrets.root, display) as MapTree;
}

function hideSecrets(tree: Tree, secrets: Step | undefined, display: Display): Tree {
  const hide = (leaf: LeafTree) =>
    leaf.value === null ? leaf : asWritten(leaf, display.literal(leaf.value));
  if (secrets?.all) return mapLeaves(tree, hide);
  // The short form of an entry is the value of an argument.
  if (tree.kind === "leaf") return secrets ? hide(tree) : renderLeaf(tree, display);
  if (tree.kind === "list") {
    const items = tree.items.map((item, index) =>
      hideSecrets(item, secrets?.under.get(String(index)), display),
    );
    return listTree(items, tree.at);
  }
  const entries = [...tree.entries].map(
    ([key, member]) =>
      [key, { ...member, value: hideSecrets(member.value, secrets?.under.get(key), display) }] as const,
  );
  return mapTree(new Map(entries), tree.at);
}

function renderLeaf(leaf: LeafTree, { text }: Display): LeafTree {
  if (leaf.secret || leaf.mock || leaf.value instanceof Interpolated) return asWritten(leaf, MASK);
  return typeof leaf.value === "string" ? { ...leaf, value: text(leaf.value) } : leaf;
}

function asWritten(leaf: LeafTree, otherwise: LeafTree["value"]): LeafTree {
  return { ...leaf, value: leaf.written ?? otherwise };
}

interface Step {
  /** Whether everything below is secret. */
  all: boolean;
  readonly under: Map<string, Step>;
}

/** Set of paths as a tree of steps. */
class PathSet {
  readonly root: Step = { all: false, under: new Map() };

  add(path: PropertyPath): void {
    let at = this.root;
    for (const step of path) {
      const next = at.under.get(String(step)) ?? { all: false, under: new Map<string, Step>() };
      at.under.set(String(step), next);
      at = next;
    }
    at.all = true;
  }
}
