/** Former names of projects that objects in a state still have: a run renamed the project, and failed before it reached them. */
import type { Definition, Rename } from "../../provider/index.js";
import { groupBy } from "../../text/lists.js";
import { findDefinitionAt } from "../urn.js";
import type { Deployment, StateEntry } from "./state.js";

/** Lists the former names with the present ones, as the entries of the parents have them. */
export function listFormerNames({ resources = [] }: Deployment): Rename[] {
  const entries = new Map(resources.filter((one) => one.delete !== true).map((one) => [one.urn, one]));
  const names = [...entries.values()].flatMap((entry) => {
    const definition = findDefinitionAt(entry);
    return Object.keys(definition?.references ?? {}).flatMap((arg) => {
      const [from, to] = [entry.outputs?.[arg], findPresentName(entry, arg, entries)];
      return typeof from === "string" && typeof to === "string" ? [{ from, to }] : [];
    });
  });
  // A name that another project has now is no former one.
  return [...groupBy(names, ({ from }) => from).values()].flatMap(([first, ...others]) =>
    first !== undefined && first.from !== first.to && others.every(({ to }) => to === first.to)
      ? [first]
      : [],
  );
}

/** Finds the name of the object to which an argument refers by a name, directly or through an object that refers to it as well. */
function findPresentName(entry: StateEntry, arg: string, entries: ReadonlyMap<string, StateEntry>): unknown {
  const reference = findDefinitionAt(entry)?.references[arg];
  if (reference?.property === undefined) return undefined;
  for (const urn of listReferred(entry, arg)) {
    const other = entries.get(urn);
    const definition = other && findDefinitionAt(other);
    if (definition?.type === reference.to) return other?.outputs?.[reference.property];
    if (other !== undefined && definition?.references[arg]?.to === reference.to)
      return findPresentName(other, arg, entries);
  }
  return undefined;
}

/** The objects from which an argument comes: its own reference, or the one that copies it. */
function listReferred(entry: StateEntry, arg: string): readonly string[] {
  const { references }: Pick<Definition, "references"> = findDefinitionAt(entry) ?? { references: {} };
  const copying = Object.keys(references).filter((name) => arg in (references[name]?.copies ?? {}));
  return [arg, ...copying].flatMap((name) => entry.propertyDependencies?.[name] ?? []);
}
