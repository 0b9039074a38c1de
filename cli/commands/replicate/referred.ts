/** Finds what objects of some kinds refer to. */
import type { MapTree } from "../../../workspace-file/index.js";
import { mapReferences } from "../../../provider/index.js";
import { declarationsOf } from "../../../workspace-file/load/to-declarations.js";
import { entriesOf, type Entry } from "../../../workspace-file/load/entries.js";
import { mapRefs, DeclaredNames, Ref } from "../../../workspace-file/load/names.js";

/** Returns the logical names of all objects that the wanted kinds refer to, and of their ancestors. */
export function referredTo(document: MapTree, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const entries = entriesOf(document);
  const kept = new Set(entries.filter((entry) => isReplicated(entry, wanted)).map(({ name }) => name));
  const names = new DeclaredNames(entries);
  const found = new Set<string>();
  const add = (name: string | undefined) => {
    const words = name?.split("/") ?? [];
    for (let end = 2; end <= words.length; end += 2) found.add(words.slice(0, end).join("/"));
  };
  for (const { definition, name, args } of declarationsOf(document).declarations) {
    if (!kept.has(name)) continue;
    mapRefs(args, (ref) => {
      if (ref instanceof Ref) add(ref.name);
      return ref;
    });
    // External objects are referred to by name.
    for (const [arg, reference] of Object.entries(definition.references))
      mapReferences(reference, args[arg], (inner, value) => {
        if (typeof value === "string") add(names.find(inner.to, value)?.name);
        return value;
      });
  }
  return found;
}

/** Whether an object is replicated: an item of a list cannot be external, so excluding it excludes all that is in it. */
export function isReplicated({ definition, parent }: Entry, wanted: ReadonlySet<string>): boolean {
  if (!wanted.has(definition.type)) return false;
  for (let at = parent; at !== undefined; at = at.parent)
    if (!wanted.has(at.definition.type) && at.definition.document?.form !== "map") return false;
  return true;
}
