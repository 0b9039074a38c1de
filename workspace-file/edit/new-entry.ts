/** Entries that are added to a document, in its sections or in files of their own. */
import { dirname, join } from "node:path";
import picomatch from "picomatch";
import { isPlain } from "../../diff/values.js";
import type { DocumentKind } from "../../resources/definition/placement.js";
import { splitPieces } from "../compose/placeholders.js";
import { findCostlyPattern } from "../document/costly-pattern.js";
import { Source } from "../syntax/source.js";
import { buildTree, createLeaf } from "../syntax/tree.js";
import { type Canonical, toCanonical } from "./canonical-form.js";
import type { Draft, DraftSnapshot } from "./draft.js";
import { AsWritten, type NewFile } from "./edit-types.js";
import { writeBelow } from "./write.js";

const nowhere = new Source("", "");

/** Returns the canonical form that an entry will have. */
export function toCanonicalNewEntry(kind: DocumentKind, key: string, entry: unknown): Canonical {
  const { form, keyedBy } = kind.document;
  if (form === "keys") return typeof entry === "number" ? entry : key;
  const tree = buildTree(entry, nowhere, findPlaceholderLeaf);
  const normal = toCanonical(tree, { is: "entry", kind });
  if (form !== "list" || !isPlain(normal)) return normal;
  const named = "key" in normal || keyedBy in normal ? normal : { [keyedBy]: key, ...normal };
  return { ...named, key };
}

function findPlaceholderLeaf(value: unknown) {
  if (!(value instanceof AsWritten)) return undefined;
  const leaf = createLeaf(value.text, { source: nowhere, offset: 0 });
  return { ...leaf, written: value.text, pieces: splitPieces(value.text), mock: true };
}

/**
 * Writes an entry to a new file, which the main file includes unless a pattern there matches it.
 * @returns the file and how to write it, if the main file includes others
 */
export function addInOwnFile({ layers, draft }: DraftSnapshot, { path, text }: NewFile) {
  const include = [{ key: "include" }];
  const main = layers.find((file) => draft.file(file).find(include));
  if (main === undefined) return [];
  const included = [draft.file(main).find(include)?.node?.toJSON() as unknown].flat();
  const isCovered = included.some((pattern) => typeof pattern === "string" && matches(pattern, path));
  const file = join(dirname(main), path);
  const run = (to: Draft) => {
    to.create(file, text);
    if (!isCovered) writeBelow(to.file(main), [...include, { text: path }], null);
  };
  return [{ file, run }];
}

const matches = (pattern: string, path: string) =>
  findCostlyPattern(pattern) === undefined && picomatch(pattern)(path);
