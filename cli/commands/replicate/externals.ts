/** Checks objects that the file refers to without managing them: they must exist in the target. */
import { isServiceError } from "../../../client/index.js";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { getLocation, getPositionAt } from "../../../workspace-file/index.js";
import { Lookup, mapReferences, type Connection } from "../../../provider/index.js";
import { listEntries, type Entry } from "../../../workspace-file/load/entries.js";
import { debugLines } from "../../connection/api-client.js";
import { note, type Io } from "../../terminal/io.js";
import type { MissingPrerequisite } from "./missing-in-target.js";
import type { ReplicationTarget } from "./target-document.js";

/** Finds external objects that are missing in the target's workspace. */
export async function findMissingExternals(
  target: ReplicationTarget,
  connection: Connection,
  to: string,
  io: Io,
): Promise<MissingPrerequisite[]> {
  const { tree } = target.now();
  const external = listEntries(tree).filter((entry) => entry.external);
  if (external.length === 0) return [];
  const base = target.base().tree;
  const common = { tree: base, entries: listEntries(base) };
  const lookup = new Lookup(connection, (line) => note(io, line), debugLines(io));
  try {
    const missing: MissingPrerequisite[] = [];
    // The children of a missing object are not reported.
    for (const entry of external) {
      const why = isIn(entry.parent, missing) ? undefined : await explainAbsence(lookup, entry, to);
      if (why === undefined) continue;
      const { name, path, definition } = entry;
      // --kinds made it external; the common file manages it.
      const managed = common.entries.find((one) => one.name === name && !one.external);
      const place = managed
        ? getLocation(getPositionAt(common.tree, managed.path, true))
        : getLocation(getPositionAt(tree, path, true));
      const uses = [{ name, place }];
      const remedy = managed
        ? `create it in ${to}, or add ${definition.type} to the watch list`
        : `create it in ${to}, declare it without "external", or remove it in ${target.overlayFile}`;
      missing.push({ what: `external ${entry.definition.noun} "${entry.key}"`, why, remedy, uses });
    }
    return missing;
  } finally {
    await lookup.close();
  }
}

async function explainAbsence(lookup: Lookup, entry: Entry, to: string): Promise<string | undefined> {
  try {
    return (await lookup.has(traceParents(entry))) ? undefined : `${to} has none with that name`;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return `it cannot be read in ${to}: ${error.message}`;
  }
}

/** Lists an entry's ancestors and itself, by their names at the service. */
export function traceParents({ definition, key, written, parent }: Entry): Parameters<Lookup["has"]>[0] {
  const named = written[definition.document?.keyedBy ?? ""];
  const own = { definition, key: typeof named === "string" ? named : key };
  return [...(parent ? traceParents(parent) : []), own];
}

function isIn(parent: Entry | undefined, missing: readonly MissingPrerequisite[]): boolean {
  if (parent === undefined) return false;
  return missing.some(({ uses }) => uses[0]?.name === parent.name) || isIn(parent.parent, missing);
}

/** Finds references by id to objects that have a name: an id is meaningless in another workspace. */
export function findForeignNumbers(target: ReplicationTarget, from: string): MissingPrerequisite[] {
  const { tree, declared } = target.now();
  return declared.declarations.flatMap(({ definition, name, args, path }) => {
    const found: MissingPrerequisite[] = [];
    const note = (what: string, at: PropertyPath, remedy: string) => {
      const place = getLocation(getPositionAt(tree, [...path, ...at]));
      if (target.isOwn(place)) return;
      const why = `an id of ${from}, which refers to another object elsewhere, or to none`;
      found.push({ what, why, remedy, uses: [{ name, place }] });
    };
    for (const [arg, reference] of Object.entries(definition.references)) {
      mapReferences(reference, args[arg], (inner, value, at) => {
        const isName = typeof value !== "number" || inner.lookup === undefined || inner.to === "integration";
        if (!isName)
          note(
            `${arg} ${value}`,
            [arg, ...at],
            `use its name (declared, or external), or the number there in ${target.overlayFile}`,
          );
        return value;
      });
    }
    const { numberedBy } = definition.document ?? {};
    const number = numberedBy === undefined ? undefined : args[numberedBy];
    if (numberedBy !== undefined && typeof number === "number")
      note(
        `${numberedBy} ${number}`,
        [numberedBy],
        `remove it: a stack that contains the ${definition.noun} no longer needs it`,
      );
    return found;
  });
}
