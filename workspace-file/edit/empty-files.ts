/** Files of a document that edits have left with nothing in them. */
import { dirname, join } from "node:path";
import { isCollection, isMap, isPair, isScalar, isSeq } from "yaml";
import { snapshotOf, type Draft, type DraftSnapshot } from "./draft.js";
import { sameCanonical } from "./canonical-form.js";
import { removeNode } from "./yaml/remove.js";
import type { EditOptions } from "./types.js";
import type { RawText } from "./yaml/raw.js";

/** Takes out the files that hold nothing any more, not even a comment, with the lines that include them. */
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
    const after = snapshotOf(file, options, draft);
    if (after && sameCanonical(after.normal, result.normal)) result = after;
  }
  return result;
}

/** Sections without entries, and nothing that anybody has written beside them. */
function isEmpty({ document, text }: RawText): boolean {
  const { contents } = document;
  if (!isMap(contents) || text.includes("#")) return false;
  return contents.items.every(({ value }) => isCollection(value) && value.items.length === 0);
}

/** Only a line that names the file can be taken out; a pattern may stand for others. */
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
