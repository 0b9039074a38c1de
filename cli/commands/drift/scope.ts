/** Determines where to look for unmanaged objects: which types, in which parents. */
import type { Search } from "../../../provider/index.js";
import { WORKSPACE } from "../../../provider/definition/placement.js";
import type { MapTree } from "../../../workspace-file/index.js";
import { entriesOf, type Entry } from "../../../workspace-file/load/entries.js";
import type { Observed } from "./observed.js";
import { exclusiveMembers } from "./observed.js";
import type { AddedScope } from "./classes.js";

/**
 * `declared` searches for every type that the file declares, in all parents of the same type (variables of all projects, when
 * one project's variable is declared); `all` searches for every type. Only the workspace itself and objects in the state are
 * searched, because external objects are managed elsewhere.
 */
export function searchFor(scope: AddedScope, tree: MapTree, objects: readonly Observed[]): Search {
  const entries = entriesOf(tree);
  const places = new Set(
    entries
      .filter(({ external }) => !external)
      .map((entry) => place(entry.definition.type, holderType(entry))),
  );
  const wanted = (type: string, holder: string) =>
    scope === "all" || (scope === "declared" && places.has(place(type, holder)));
  // Objects in the state are identified by id: another object of the same name is unmanaged.
  const live = new Set(objects.filter((object) => object.live !== undefined).map(({ name }) => name));
  const unowned = entries.filter((entry) => !live.has(nameNow(entry, objects)));
  return { held: exclusiveMembers(objects), named: unowned.map((entry) => named(entry, objects)), wanted };
}

function named(
  { definition, key, written, parent }: Entry,
  objects: readonly Observed[],
): Search["named"][number] {
  const given = written[definition.document?.keyedBy ?? ""];
  const holder = parent === undefined ? undefined : nameNow(parent, objects);
  return { type: definition.type, key: typeof given === "string" ? given : key, holder };
}

/** Follows renames: an object whose old name the file no longer contains is observed under its new one. */
function nameNow({ name, formerNames }: Entry, objects: readonly Observed[]): string {
  const names = [name, ...formerNames];
  return names.find((one) => objects.some((object) => object.name === one)) ?? name;
}

const holderType = ({ parent }: Entry) => parent?.definition.type ?? WORKSPACE;
const place = (type: string, holder: string) => `${type} in ${holder}`;
