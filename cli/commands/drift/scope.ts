/** Where to look for what nobody declared: which kinds of objects, in which others. */
import type { Search } from "../../../provider/index.js";
import { WORKSPACE } from "../../../provider/definition/placement.js";
import type { MapTree } from "../../../workspace-file/index.js";
import { entriesOf, type Entry } from "../../../workspace-file/load/entries.js";
import type { Observed } from "./observed.js";
import { heldObjects } from "./observed.js";
import type { AddedScope } from "./classes.js";

/**
 * `declared`: a kind is looked for wherever the file declares one such object in one such place, in all places of that sort
 * (variables of projects, when one project's variable is declared); `all`: every kind. Only in the workspace itself and in
 * objects that the state holds: what is external is somebody else's.
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
  // What the state holds is told apart by its number: another object of the same name is one that nobody declared.
  const live = new Set(objects.filter((object) => object.live !== undefined).map(({ name }) => name));
  const unheld = entries.filter((entry) => !live.has(nameNow(entry, objects)));
  return { held: heldObjects(objects), named: unheld.map((entry) => named(entry, objects)), wanted };
}

function named(
  { definition, key, written, parent }: Entry,
  objects: readonly Observed[],
): Search["named"][number] {
  const given = written[definition.document?.keyedBy ?? ""];
  const holder = parent === undefined ? undefined : nameNow(parent, objects);
  return { type: definition.type, key: typeof given === "string" ? given : key, holder };
}

/** An object that the file does not know under its old name any more is still observed under its new one. */
function nameNow({ name, formerNames }: Entry, objects: readonly Observed[]): string {
  const names = [name, ...formerNames];
  return names.find((one) => objects.some((object) => object.name === one)) ?? name;
}

const holderType = ({ parent }: Entry) => parent?.definition.type ?? WORKSPACE;
const place = (type: string, holder: string) => `${type} in ${holder}`;
