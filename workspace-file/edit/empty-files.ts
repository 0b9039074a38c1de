/** Removes the files of a document that are empty after edits. */
import { dirname, join } from "node:path";
import { isCollection, isMap, isPair, isScalar, isSeq } from "yaml";
import { isSameCanonical } from "./canonical-form.js";
import { type Draft, type DraftSnapshot, takeSnapshot } from "./draft.js";
import type { EditOptions } from "./edit-types.js";
import type { RawText } from "./yaml/raw.js";
import { removeNode } from "./yaml/remove.js";

/** Removes the files that contain nothing, not even a comment, and the lines that include them. */
export function withoutEmptyFiles(
  file: string,
  options: EditOptions,
  before: Draft,
  snapshot: DraftSnapshot,
): DraftSnapshot {
  let result = snapshot;
  for (const name of snapshot.draft.names) {
    const raw = snapshot.draft.file(name);
    if (!before.has(name) || before.file(name).text === raw.text || !isEmpty(raw)) continue;
    const draft = result.draft.copy();
    if (!exclude(draft, name)) continue;
    const after = takeSnapshot(file, options, draft);
    if (after && isSameCanonical(after.normal, result.normal)) result = after;
  }
  return result;
}

/** Reports whether a file contains only sections without entries. */
function isEmpty({ document, text }: RawText): boolean {
  const { contents } = document;
  if (!isMap(contents) || text.includes("#")) return false;
  return contents.items.every(({ value }) => isCollection(value) && value.items.length === 0);
}

/** Removes the line that includes a file by name. A pattern may match other files too and stays. */
function exclude(draft: Draft, name: string): boolean {
  for (const other of draft.names) {
    const raw = draft.file(other);
    const list = raw.find([{ key: "include" }])?.node;
    if (!isSeq(list)) continue;
    const index = list.items.findIndex(
      (item) => !isPair(item) && isScalar(item) && join(dirname(other), String(item.value)) === name,
    );
    const slot = index < 0 ? undefined : raw.find([{ key: "include" }, { index }]);
    if (slot === undefined) continue;
    removeNode(raw, slot);
    draft.drop(name);
    return true;
  }
  return false;
}
