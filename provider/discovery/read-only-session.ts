/** Reads a workspace without the engine, in one session that reads each list once. */
import { ServiceError } from "../../client/index.js";
import type { Definition } from "../../resources/definition/definition.js";
import { loadItems } from "../../resources/definition/lists.js";
import { WORKSPACE } from "../../resources/definition/placement.js";
import { definitions, getDefinition } from "../../resources/registry.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { readRemote } from "../existence/observe.js";
import { findById, type FoundById } from "./import-by-id.js";
import { findUnmanaged, type ManagedObject, type Search, type Searched } from "./unmanaged.js";

export interface ReadOnlySession {
  /**
   * Reads the workspace's own lists of these types, for all sessions that share the reads. Rejects when one cannot be read.
   * @returns whether there are any
   */
  readLists(types: ReadonlySet<string>): Promise<boolean>;
  /** The types that the service denies to read, tried with the first object of each. */
  checkReadPermissions(managed: readonly ManagedObject[]): Promise<Unreadable[]>;
  /** The unmanaged objects. */
  findUnmanaged(search: Search): Promise<Searched>;
  /** The state of an object, by its import id; undefined when there is none. */
  read(definition: Definition, importId: string): Promise<FoundById | undefined>;
  close(): Promise<void>;
}

export function openReadOnlySession(connection: Connection, options: ReadingOptions = {}): ReadOnlySession {
  const session = new Session(connection, options);
  return {
    readLists: (types) => readLists(session, types),
    checkReadPermissions: (managed) => checkReadPermissions(session, managed),
    findUnmanaged: (search) => findUnmanaged(session, search),
    read: (definition, importId) => findById(definition, session, importId),
    close: () => session.close(),
  };
}

async function readLists(session: Session, types: ReadonlySet<string>): Promise<boolean> {
  const context = session.context({});
  const lists = definitions.flatMap(({ type, list, document }) => {
    const isThere = types.has(type) && document !== undefined && WORKSPACE in document.under;
    return (isThere && list(context, {})) || [];
  });
  const results = await Promise.allSettled(lists.map((list) => loadItems(context, list)));
  // The first of them explains most.
  for (const result of results) if (result.status === "rejected") throw result.reason as Error;
  return lists.length > 0;
}

/** A type whose objects cannot be read. */
interface Unreadable {
  readonly type: string;
  readonly reason: string;
}

/**
 * Reads the first object of each type.
 * @returns the types that the service denies
 */
async function checkReadPermissions(
  session: Session,
  managed: readonly ManagedObject[],
): Promise<Unreadable[]> {
  const first = new Map(managed.toReversed().map((object) => [object.type, object]));
  const tried = await Promise.all(
    [...first.values()].map(async ({ type, outputs }): Promise<Unreadable[]> => {
      try {
        const definition = getDefinition(type);
        await readRemote({ definition, context: session.context(outputs), state: outputs });
        return [];
      } catch (error) {
        if (error instanceof ServiceError && error.code === "denied")
          return [{ type, reason: error.message }];
        return []; // the work itself will report any other error
      }
    }),
  );
  return tried.flat();
}
