/** Renders a composed document without secrets. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import {
  listPartlySecretNames,
  listSecretNames,
  looksRandom,
  mapSecretParts,
  MASK,
  type SecretPart,
} from "../../resources/index.js";
import { escapePlaceholders } from "../compose/placeholders.js";
import {
  getValue,
  Interpolated,
  type LeafTree,
  listTree,
  mapLeaves,
  type MapTree,
  mapTree,
  type Tree,
} from "../syntax/tree.js";
import type { LoadedFile } from "./loaded-file.js";

type Composed = Pick<LoadedFile, "tree" | "declarations">;

/** How values are shown. */
interface Display {
  /** Shows a text that is not secret. */
  readonly text: (text: string) => string;
  /** Shows a secret that is written out. @param parts what is secret in it; none for the whole */
  readonly literal: (value: LeafTree["value"], parts: readonly SecretPart[]) => LeafTree["value"];
}

function maskValue(value: LeafTree["value"], parts: readonly SecretPart[]): string {
  if (typeof value !== "string" || parts.length === 0) return MASK;
  let [masked, end] = ["", 0];
  for (const { start, length } of parts) {
    masked += value.slice(end, start) + MASK;
    end = start + length;
  }
  return masked + value.slice(end);
}

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
    const partly = listPartlySecretNames(definition, args).filter((name) => !given.includes(name));
    for (const name of [...listSecretNames(definition, args), ...given])
      if (!partly.includes(name)) secrets.add([...path, name]);
    for (const name of partly) {
      const guessing = definition.undocumented.includes(name) ? looksRandom : undefined;
      const note = (_: unknown, parts: readonly SecretPart[], at: PropertyPath) =>
        secrets.add([...path, name, ...at], parts);
      mapSecretParts(args[name], note, guessing);
    }
  }
  return hideSecrets(tree, secrets.root, display) as MapTree;
}

function hideSecrets(tree: Tree, secrets: Step | undefined, display: Display): Tree {
  const hide = (leaf: LeafTree, parts: readonly SecretPart[] = []) =>
    leaf.value === null ? leaf : asWritten(leaf, display.literal(leaf.value, parts));
  if (secrets?.all) return mapLeaves(tree, (leaf) => hide(leaf, secrets.parts));
  // The short form of an entry is the value of an argument.
  if (tree.kind === "leaf")
    return secrets ? hide(tree, [...secrets.under.values()][0]?.parts) : renderLeaf(tree, display);
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
  /** What is secret in the text; none for the whole. */
  parts?: readonly SecretPart[];
  readonly under: Map<string, Step>;
}

/** Set of paths as a tree of steps. */
class PathSet {
  readonly root: Step = { all: false, under: new Map() };

  add(path: PropertyPath, parts: readonly SecretPart[] = []): void {
    let at = this.root;
    for (const step of path) {
      const next = at.under.get(String(step)) ?? { all: false, under: new Map<string, Step>() };
      at.under.set(String(step), next);
      at = next;
    }
    at.all = true;
    at.parts = parts;
  }
}
