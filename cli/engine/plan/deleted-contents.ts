/** Finds what goes with the objects that a plan deletes although no file declares it: what else the service lists in them. */
import {
  definitions,
  findDefinition,
  openReadOnlySession,
  openRequestCounter,
  type ManagedObject,
} from "../../../provider/index.js";
import { buildNameIn, LogicalName } from "../../../provider/definition/logical-name.js";
import { listKindsUnder } from "../../../provider/definition/placement.js";
import type { Searched } from "../../../provider/index.js";
import type { EngineStack } from "../stack/engine-stack.js";
import type { OpenStack } from "../stack/open-stack.js";
import { compareByName } from "../urn.js";
import type { PlannedObject } from "./planned-objects.js";

/** An unmanaged object in an object that a plan deletes or replaces. What it contains is not read. */
export interface UnmanagedContent {
  readonly type: string;
  /** Logical name that it would have in the file. */
  readonly name: string;
  /** Logical name of the object that contains it. */
  readonly within: string;
}

interface UnmanagedContents {
  readonly contents: readonly UnmanagedContent[];
  /** Says which lists could not be read. */
  readonly notes: readonly string[];
}

const none: UnmanagedContents = { contents: [], notes: [] };

/** Reads only the lists of the objects that are deleted or replaced. A refresh has read most of them. */
export async function findContents(
  objects: readonly PlannedObject[],
  open: Pick<OpenStack, "connection" | "io"> & { stack: Pick<EngineStack, "reads" | "renames"> },
): Promise<UnmanagedContents> {
  const deleted = objects.filter(
    ({ operation, within }) => (operation === "delete" || operation === "replace") && within === undefined,
  );
  const emptied = new Set(
    listManagedIn(deleted.filter(({ type }) => listContents(type).length > 0)).map(getNameOf),
  );
  if (emptied.size === 0) return none;
  const { connection, io, stack } = open;
  const look = openReadOnlySession(connection, {
    reads: stack.reads,
    requestCounter: openRequestCounter(io.env),
  });
  try {
    const searched = await look.findUnmanaged({
      managed: listManagedIn(objects.filter(({ operation }) => operation !== "adopt")),
      named: [],
      includes: (type, parent) => listContents(parent).includes(type),
      reads: (list) => emptied.has(new LogicalName(list).section),
      renames: stack.renames,
    });
    return {
      contents: searched.found.map(describeContent).toSorted(compareByName),
      notes: listNotes(searched),
    };
  } finally {
    await look.close();
  }
}

/** The types that objects of a type contain, without what is part of people's daily work. */
function listContents(type: string): string[] {
  return listKindsUnder(definitions, type)
    .filter(({ document }) => document.transient !== true)
    .map((kind) => kind.type);
}

/** The objects that exist, in the form that the search expects. */
function listManagedIn(objects: readonly PlannedObject[]): ManagedObject[] {
  return objects.flatMap(({ type, name, before }) => {
    const { identity } = findDefinition(type) ?? {};
    const id = before?.[identity?.state ?? ""];
    if (before === undefined || (typeof id !== "string" && typeof id !== "number")) return [];
    return [{ type, name, id: encodeURIComponent(id), outputs: before }];
  });
}

const getNameOf = ({ name }: ManagedObject) => name;

function describeContent({ type, section, key, parent = "" }: Searched["found"][number]): UnmanagedContent {
  return { type, name: buildNameIn(parent, section, key), within: parent };
}

function listNotes({ unlisted }: Searched): string[] {
  return unlisted.map(
    ({ type, parent = "", reason }) =>
      `${parent} would be deleted, and whether it contains more than the file declares is unknown: ${type} cannot be read (${reason})`,
  );
}
