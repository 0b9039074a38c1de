import { piecesOf } from "../../compose/placeholders.js";
import { dirname, join } from "node:path";
import picomatch from "picomatch";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { costlyPattern } from "../../document/costly-pattern.js";
import { leafTree, listTree, mapTree, type Tree } from "../../syntax/tree.js";
import { Source } from "../../syntax/source.js";
import type { Draft, DraftSnapshot } from "../draft.js";
import { isMap, canonicalOf, type Canonical } from "../canonical-form.js";
import { formatLocation } from "../origin.js";
import { at, pathNow, setAt } from "../paths.js";
import { locate, type EntryLocation } from "../locate.js";
import { AsWritten, Refusal, type NewFile } from "../types.js";
import { writeBelow } from "../write.js";
import { layersTo, type EditPlan, type Strategy } from "./strategy.js";

export interface Addition {
  readonly name: string;
  readonly entry: unknown;
  readonly after?: string | null;
  readonly file?: NewFile | undefined;
}

/** Plans to add an entry. */
export function planAdd(snapshot: DraftSnapshot, { name, entry, after, file: own }: Addition): EditPlan {
  const location = locate(snapshot.tree, name);
  const { kind, parent, section, steps } = location;
  if (location.path !== undefined)
    throw new Refusal("exists", `${name} is declared already, in ${formatLocation(snapshot, location.path)}`);
  const path = [...pathNow(snapshot.normal, parent.path, name), section];
  const list = kind.document.form === "map" ? undefined : itemsAt(snapshot.normal, path);
  const index = list && placeIn(list, after);
  const normal = normalEntry(location, entry);
  const layers = layersTo(snapshot, [...parent.steps, { key: section }]);
  return {
    normal:
      list === undefined
        ? setAt(snapshot.normal, [...path, location.key], normal)
        : setAt(snapshot.normal, path, list.toSpliced(index ?? list.length, 0, normal)),
    ways: [
      ...(own ? inOwnFile(snapshot, own) : []),
      ...layers.map((file) => ({
        file,
        override: false,
        run: (draft: Draft) => writeBelow(draft.file(file), steps, entry, index),
      })),
    ],
  };
}

/** Writes the entry to a new file, which the main file includes unless a pattern there matches it. */
function inOwnFile({ layers, draft }: DraftSnapshot, { path, text }: NewFile): Strategy[] {
  const include = [{ key: "include" }];
  const main = layers.find((file) => draft.file(file).find(include));
  if (main === undefined) return [];
  const included = draft.file(main).find(include)?.node?.toJSON() as unknown;
  const covered = [included]
    .flat()
    .some(
      (pattern) =>
        typeof pattern === "string" && costlyPattern(pattern) === undefined && picomatch(pattern)(path),
    );
  const file = join(dirname(main), path);
  const run = (to: Draft) => {
    to.create(file, text);
    if (!covered) writeBelow(to.file(main), [...include, { text: path }], null);
  };
  return [{ file, override: false, run }];
}

function itemsAt(normal: Canonical, path: PropertyPath): Canonical[] {
  const items = at(normal, path);
  return Array.isArray(items) ? (items as Canonical[]) : [];
}

function placeIn(list: readonly Canonical[], after: string | null | undefined): number {
  if (after === null) return 0;
  const before = list.findIndex((item) => (isMap(item) ? item["key"] : item) === after);
  return before < 0 ? list.length : before + 1;
}

function normalEntry({ kind, key }: EntryLocation, entry: unknown): Canonical {
  const { form, keyedBy } = kind.document;
  if (form === "keys") return typeof entry === "number" ? entry : key;
  const normal = canonicalOf(treeFrom(entry), { is: "entry", kind });
  if (form !== "list" || !isMap(normal)) return normal;
  const named = "key" in normal || keyedBy in normal ? normal : { [keyedBy]: key, ...normal };
  return { ...named, key };
}

const at0 = { source: new Source("", ""), offset: 0 };

/** Converts a plain value to the tree that the loader would read. */
function treeFrom(value: unknown): Tree {
  if (value instanceof AsWritten) {
    const pieces = piecesOf(value.text);
    return { ...leafTree(value.text, at0), written: value.text, pieces, mock: true };
  }
  if (Array.isArray(value)) return listTree(value.map(treeFrom), at0);
  if (typeof value !== "object" || value === null) return leafTree((value ?? null) as string | null, at0);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return mapTree(new Map(entries.map(([key, part]) => [key, { key: at0, value: treeFrom(part) }])), at0);
}
