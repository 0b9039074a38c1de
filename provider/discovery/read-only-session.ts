/** Reads a workspace without the engine, in one session that reads each list once. */
import type { Connection } from "../connection/connection.js";
import { checkReadPermissions, type Unreadable } from "./permission-check.js";
import { Session, type SessionOptions } from "../connection/session.js";
import type { Definition } from "../definition/definition.js";
import { findById, type FoundById } from "./import-by-id.js";
import { findUnmanaged, type HeldObject, type Search, type Searched } from "./unmanaged.js";

export interface ReadOnlySession {
  /** The types that the service denies to read, tried with the first object of each. */
  probe(held: readonly HeldObject[]): Promise<Unreadable[]>;
  /** The unmanaged objects. */
  find(search: Search): Promise<Searched>;
  /** The state of an object, by its import id; undefined when there is none. */
  read(definition: Definition, importId: string): Promise<FoundById | undefined>;
  close(): Promise<void>;
}

export function openReadOnlySession(
  connection: Connection,
  options: Pick<SessionOptions, "debug" | "reads"> = {},
): ReadOnlySession {
  const session = new Session(connection, options);
  return {
    probe: (held) => checkReadPermissions(session, held),
    find: (search) => findUnmanaged(session, search),
    read: (definition, importId) => findById(definition, session, importId),
    close: () => session.close(),
  };
}
